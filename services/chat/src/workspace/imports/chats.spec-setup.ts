import type {
  BrokenChat,
  ImportSource,
  OpenedExport,
  Other,
  ProjectFile,
  ReadChat,
  ReadMessage,
  ReadProject,
} from '@parley/chat-exports';
import { Readable } from 'node:stream';

/** What an upload is read as. */
export type ReadingOf = {
  source: ImportSource;
  chats: readonly (ReadChat | BrokenChat)[];
  others: readonly Other[];
  projects: readonly ReadProject[];
  projectFiles: readonly ProjectFile[];
  /** What opening it fails with. */
  failure: Error | null;
  /** Before each chat is given. */
  onChat: (at: number) => Promise<void>;
  /** Before each file of a project is given. */
  onFile: (at: number) => Promise<void>;
};

/** Opens what is given at that time. */
export const opening = (given: ReadingOf) => async (): Promise<OpenedExport> => {
  if (given.failure) throw given.failure;
  return {
    source: given.source,
    async *chats(from = 0) {
      for (const [at, chat] of given.chats.entries())
        if (at >= from) {
          await given.onChat(at);
          yield chat;
        }
    },
    others: async () => given.others,
    projects: async () => given.projects,
    async *projectFiles(from = 0) {
      for (const [at, file] of given.projectFiles.entries())
        if (at >= from) {
          await given.onFile(at);
          yield file;
        }
    },
    close: async () => undefined,
  };
};

const day = 86_400_000;
/** When the chats of tests began. */
export const began = Date.UTC(2025, 0, 1);

/** A message for each text of a line, question and answer in turn: ids are the chat's with a number. */
export function aLine(id: string, texts: readonly string[], from: string | null = null): ReadMessage[] {
  return texts.map((text, at) => ({
    sourceId: `${id}-${at + 1}`,
    parentId: at === 0 ? from : `${id}-${at}`,
    role: at % 2 === 0 ? 'person' : 'assistant',
    text,
    createdAt: new Date(began + at * 60_000),
    model: at % 2 === 0 ? null : 'gpt-4o',
    files: [],
  }));
}

export const aChat = (sourceId: string, messages: readonly ReadMessage[], more: Partial<ReadChat> = {}): ReadChat => ({
  kind: 'chat',
  sourceId,
  title: `About ${sourceId}`,
  createdAt: new Date(began),
  updatedAt: new Date(began + day),
  isPinned: false,
  isArchived: false,
  messages,
  openId: messages.at(-1)?.sourceId ?? null,
  losses: [],
  ...more,
});

export const aFile = (name: string, content: string) => ({
  name,
  bytes: Buffer.byteLength(content),
  open: async () => Readable.from([Buffer.from(content)]),
});
