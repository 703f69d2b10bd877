import { z } from 'zod';
import { listOf, objectOf, text } from '../json-fields.ts';
import type { OtherKind } from '../read-chat.ts';

const memory = objectOf({
  account_uuid: text,
  conversations_memory: text,
  project_memories: z.unknown().optional(),
  memory_files: listOf(z.object({ name: text, path: text, content: text })),
});

export type Counted = { readonly kind: OtherKind; readonly key: string; readonly name?: string | undefined };

/** Names what Claude's other files hold and Parley can't import. */
export function othersIn(path: string, value: unknown): Counted[] {
  const read = /(?:^|\/)memories(?:\/[^/]+)?\.json$/i.test(path) ? memory.parse(value) : null;
  if (!read) return [];
  const { account_uuid: account, conversations_memory: ofChats, project_memories: ofProjects, memory_files } = read;
  const each = typeof ofProjects === 'object' ? Object.entries(ofProjects ?? {}) : [];
  const found = [
    ...(ofChats ? [['conversations', ofChats] as const] : []),
    ...each.map(([key, words]) => [key, typeof words === 'string' ? words : undefined] as const),
    ...memory_files.map(({ name, path: at, content }, index) => [`file ${index}`, name || at || content] as const),
  ];
  return found.map(([key, words]) => ({ kind: 'memories', key: `${account} ${key}`, name: words || undefined }));
}
