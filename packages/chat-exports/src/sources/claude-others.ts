import { z } from 'zod';
import { listOf, objectOf, text } from '../json-fields.ts';
import type { OtherKind } from '../read-chat.ts';

const project = objectOf({ uuid: text, prompt_template: text });
const memory = objectOf({
  account_uuid: text,
  conversations_memory: text,
  project_memories: z.unknown().optional(),
  memory_files: listOf(z.unknown()),
});

/** What Claude's files beside the chats hold, each with a key that tells it from others. */
export function othersIn(path: string, value: unknown): (readonly [kind: OtherKind, key: string])[] {
  const [, folder] = /(?:^|\/)(projects|memories)(?:\/[^/]+)?\.json$/i.exec(path) ?? [];
  if (folder?.toLowerCase() === 'projects') {
    const read = project.parse(value);
    if (!read || read.uuid === null) return [];
    return read.prompt_template
      ? [
          ['projects', read.uuid],
          ['prompts', read.uuid],
        ]
      : [['projects', read.uuid]];
  }
  const read = folder === undefined ? null : memory.parse(value);
  if (!read) return [];
  const { project_memories: ofProjects } = read;
  const keys = [
    ...(read.conversations_memory ? ['conversations'] : []),
    ...(typeof ofProjects === 'object' ? Object.keys(ofProjects ?? {}) : []),
    ...read.memory_files.map((_file, at) => `file ${at}`),
  ];
  return keys.map((key) => ['memories', `${read.account_uuid} ${key}`]);
}
