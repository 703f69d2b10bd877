import type { Citation, GenerationFailure } from '@parley/contracts';
import type { Readable } from 'node:stream';

/** Random access to an uploaded file. `read` returns the bytes from `start` up to, not including, `end`. */
export type ByteSource = {
  readonly name: string;
  readonly size: number;
  read(start: number, end: number): Promise<Readable>;
};

export type ImportSource = 'chatgpt' | 'claude' | 'open-webui' | 'librechat' | 'parley';

/** Why nothing of an upload can be imported. */
export type Unreadable =
  | 'not-an-export'
  | 'only-manifest'
  | 'only-page'
  | 'encrypted'
  | 'damaged'
  | 'too-much-inside'
  | 'newer-version'
  | 'several-sources';

/** Says that nothing of an upload can be imported. Errors of the storage are passed on as they are. */
export class UnreadableExport extends Error {
  constructor(readonly reason: Unreadable) {
    super(`The upload can't be imported: ${reason}`);
    this.name = 'UnreadableExport';
  }
}

export type OtherKind = 'custom-chatbots' | 'memories' | 'prompts' | 'missing-parts';
/** `names` are those of the first 20: what the export calls them, else their first words or their id. */
export type Other = { readonly kind: OtherKind; readonly count: number; readonly names: readonly string[] };

/** A project or folder that the export describes in a file of its own. */
export type ReadProject = {
  readonly sourceId: string;
  /** At most 100 characters. */
  readonly name: string | null;
  /** Told to models in each of its chats; may be longer than Parley keeps. */
  readonly instructions: string;
  /** The project has a description. It is not a part of the instructions. */
  readonly hasDescription?: true;
  /** The name of its chatbot. */
  readonly chatbot: string | null;
  /** The names of its data connections; that for uploads can have none. */
  readonly connections: readonly string[];
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly createdAt: Date | null;
};

/** `part-missing` and `part-cut` are no chats, but files of the export that lack some. */
export type BrokenReason =
  | 'no-messages'
  | 'not-a-chat'
  | 'too-large'
  | 'cycle'
  | 'damaged'
  | 'internal'
  | 'part-missing'
  | 'part-cut';
export type BrokenChat = {
  readonly kind: 'broken';
  readonly sourceId: string | null;
  readonly title: string | null;
  readonly reason: BrokenReason;
  /** Numbers a part of the export, from 1; null where the export doesn't number its parts. */
  readonly part?: number | null;
};

export type ReadFile = {
  readonly name: string;
  readonly bytes: number;
  /** In a Parley export, where citations name it. */
  readonly id?: string | null;
  open(): Promise<Readable>;
};

/** A file that belongs to a project of the export. */
export type ProjectFile = {
  /** The `sourceId` of the project. */
  readonly project: string;
  /** In the source; its number in the project where it has none. */
  readonly id: string;
  readonly name: string;
  /** Or why it can't be imported. */
  readonly file: ReadFile | LossKind;
};

/** Reads what a Parley export says of an answer besides its text and model. */
export type ExportedAnswer = {
  readonly state: 'done' | 'stopped' | 'failed' | 'interrupted';
  readonly failure: GenerationFailure | null;
  readonly chatbot: string | null;
  readonly citations: readonly Citation[];
};

export type LossKind =
  | 'file-not-in-export'
  | 'file-too-large'
  | 'file-empty'
  | 'file-type-not-supported'
  | 'file-protected'
  | 'too-many-files'
  | 'text-cut'
  | 'canvas-incomplete';
/** Something of a message that is not imported. */
export type Loss = { readonly messageId: string | null; readonly what: LossKind; readonly name: string | null };

export type ReadMessage = {
  readonly sourceId: string;
  readonly parentId: string | null;
  readonly role: 'person' | 'assistant';
  /** Markdown, at most 200,000 characters. */
  readonly text: string;
  readonly createdAt: Date | null;
  /** Of an answer, at most 100 characters. */
  readonly model: string | null;
  /** At most 20. An answer has none: its files are those of a question (see `tree.ts`). */
  readonly files: readonly ReadFile[];
  /** Comes with answers of Parley exports. */
  readonly exported?: ExportedAnswer | null;
};

/** Fields that a source's reader returns and that are passed on unchanged. */
export type ChatFields = {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** The project or folder that it is in. Absent: none. */
  readonly project?: { readonly id: string; readonly name: string | null } | null;
  /** Names where it was branched off, if the Parley export has that chat, too. */
  readonly branchedFrom?: { readonly chatId: string; readonly messageId: string } | null;
};

export type ReadChat = ChatFields & {
  readonly kind: 'chat';
  /** The id in the source; a hash of the content where it has none. */
  readonly sourceId: string;
  /** At most 200 characters; empty where the source has none. */
  readonly title: string;
  /** Parents before children. Each root is a person's message, and roles alternate on each path. */
  readonly messages: readonly ReadMessage[];
  /** The leaf that was open; null where the source doesn't say. */
  readonly openId: string | null;
  /** At most 10,000. */
  readonly losses: readonly Loss[];
};

export type OpenedExport = {
  readonly source: ImportSource;
  /**
   * Returns each chat once, in the same order each time. A chat that can't be read is a BrokenChat; the others follow.
   * `from` skips that many without building their trees. Gives way to other work; memory is bounded by the largest chat
   * (32 MB of JSON). Can be read again from the beginning, but not twice at the same time.
   */
  chats(from?: number): AsyncGenerator<ReadChat | BrokenChat>;
  /** Reads the projects that files of the export describe, at most 1,000; `ReadChat.project` names others. */
  projects(): Promise<readonly ReadProject[]>;
  /**
   * Returns each file of these projects once, in the same order each time, at most 10,000; `from` skips that many. A
   * file has to be opened before the next one is asked for: memory is bounded by the largest one.
   */
  projectFiles(from?: number): AsyncGenerator<ProjectFile>;
  /** Counts what else is in it and can't be imported. Complete once `chats()` was read to its end, and `projects()`. */
  others(): Promise<readonly Other[]>;
  close(): Promise<void>;
};
