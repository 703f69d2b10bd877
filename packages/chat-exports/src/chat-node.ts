import type { BrokenReason, ChatFields, ExportedAnswer, LossKind } from './read-chat.ts';

/** A file that a message of the source names. */
export type FileRef = {
  readonly name: string;
  readonly mediaType: string | null;
  /** By which the export's files are searched for it. */
  readonly ids: readonly string[];
  /** The content, where the source holds it in the message itself. */
  readonly content: Buffer | null;
  /** As citations name it. */
  readonly id?: string | null;
};
export type NodeLoss = { readonly what: LossKind; readonly name: string | null };

/** A message as the source has it. Nothing about parents, times or ids is trusted. */
export type ChatNode = {
  readonly id: string;
  readonly parentId: string | null;
  /** What the source calls its children: used for a child that names no parent itself. */
  readonly childIds?: readonly string[];
  /** Null if a person never sees it: system, tool, reasoning, hidden. */
  readonly role: 'person' | 'assistant' | null;
  readonly text: string;
  /** Marks a message from a Parley export: it is kept even if empty, and a question isn't merged with the one before. */
  readonly isWhole?: boolean;
  readonly createdAt: Date | null;
  readonly model: string | null;
  readonly files: readonly FileRef[];
  readonly losses: readonly NodeLoss[];
  readonly exported?: ExportedAnswer | null;
};

/** A chat as the source has it. */
export type RawChat = ChatFields & {
  /** Null where the source has none. */
  readonly sourceId: string | null;
  readonly title: string | null;
  readonly nodes: readonly ChatNode[];
  readonly openId: string | null;
};
export type RawBroken = {
  readonly broken: BrokenReason;
  readonly sourceId: string | null;
  readonly title: string | null;
};
