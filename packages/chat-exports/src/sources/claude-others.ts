import { z } from 'zod';
import { cleanId, cleanText } from '../cleaning.ts';
import { flag, listIn, listOf, objectOf, text, time, unread } from '../json-fields.ts';
import type { OtherKind } from '../read-chat.ts';
import type { DescribedProject } from './described-projects.ts';

const project = objectOf({
  uuid: text,
  name: text,
  prompt_template: text,
  is_starter_project: flag,
  created_at: time,
  docs: unread,
});
const doc = objectOf({ uuid: text, filename: text });
/** Of one project. */
const mostDocs = 10_000;
const memory = objectOf({
  account_uuid: text,
  conversations_memory: text,
  project_memories: z.unknown().optional(),
  memory_files: listOf(z.object({ name: text, path: text, content: text })),
});

export type Counted = { readonly kind: OtherKind; readonly key: string; readonly name?: string | undefined };

const folderOf = (path: string): string | undefined =>
  /(?:^|\/)(projects|memories)(?:\/[^/]+)?\.json$/i.exec(path)?.[1]?.toLowerCase();

/** Names what Claude's other files hold and Parley can't import. */
export function othersIn(path: string, value: unknown): Counted[] {
  const folder = folderOf(path);
  if (folder === 'projects') return docsOf(project.parse(value));
  const read = folder === undefined ? null : memory.parse(value);
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

function docsOf(read: z.infer<typeof project>): Counted[] {
  if (!read || read.uuid === null || read.is_starter_project) return [];
  const docs = listIn(read.docs).slice(0, mostDocs);
  return docs.map((given, at) => {
    const { uuid = null, filename = null } = doc.parse(given) ?? {};
    return { kind: 'project-files', key: `${read.uuid} ${uuid ?? at}`, name: filename || undefined };
  });
}

/** The projects in one of Claude's files, without those that Claude gives everybody. */
export function claudeProjectsIn(path: string, value: unknown): DescribedProject[] {
  const read = folderOf(path) === 'projects' ? project.parse(value) : null;
  if (!read?.uuid || read.is_starter_project) return [];
  const { uuid, name, prompt_template: instructions, created_at: createdAt } = read;
  const rest = { chatbot: null, isPinned: false, isArchived: false, createdAt };
  return [{ sourceId: cleanId(uuid), name, instructions: cleanText(instructions ?? ''), ...rest }];
}
