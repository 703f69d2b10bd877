import { limits } from '@parley/contracts';
import { Readable } from 'node:stream';
import type { ExportFile } from '../archive.ts';
import { cleanId, cleanText } from '../cleaning.ts';
import { headTexts, partsOf, valueOf, type JsonElement } from '../json-elements.ts';
import { flag, objectOf, text, time } from '../json-fields.ts';
import type { ProjectFile } from '../read-chat.ts';
import { nameOfText } from './claude-content.ts';
import type { DescribedProject, LostProject } from './described-projects.ts';

const project = objectOf({
  uuid: text,
  name: text,
  description: text,
  prompt_template: text,
  is_starter_project: flag,
  created_at: time,
});
const doc = objectOf({ uuid: text, filename: text, content: text });

type Numbered = { /** Numbers its project in the file. */ readonly at: number };

export const hasClaudeProjects = ({ path }: ExportFile): boolean => /(?:^|\/)projects(?:\/[^/]+)?\.json$/i.test(path);

/** The projects of one of Claude's files, without those that Claude gives everybody. Contents of their files are not kept. */
export async function* claudeProjectsIn(
  file: ExportFile,
  lost?: LostProject,
): AsyncGenerator<DescribedProject & Numbered> {
  for await (const { at, isItem, element } of partsOf(file, { list: 'docs' })) {
    if (isItem) continue;
    const value = valueOf(element);
    // Behind a cut there may be more of them than this one.
    if (value === undefined) lost?.(element.problem === 'cut' ? null : headTexts(element.head).get('name'));
    const read = project.parse(value);
    if (!read?.uuid || read.is_starter_project) continue;
    const { uuid, name, prompt_template: instructions, created_at: createdAt } = read;
    const hasDescription = (read.description ?? '').trim() !== '';
    const rest = {
      ...(hasDescription && { hasDescription }),
      chatbot: null,
      connections: [],
      isPinned: false,
      isArchived: false,
      createdAt,
    };
    yield { at, sourceId: cleanId(uuid), name, instructions: cleanText(instructions ?? ''), ...rest };
  }
}

/** The files of the projects of one of Claude's files. */
export async function* claudeFilesIn(file: ExportFile): AsyncGenerator<Omit<ProjectFile, 'project'> & Numbered> {
  let project = -1;
  let number = 0;
  for await (const { at, isItem, element } of partsOf(file, { list: 'docs' })) {
    if (!isItem) continue;
    number = at === project ? number + 1 : 1;
    project = at;
    yield { at, ...fileOf(element, number) };
  }
}

function fileOf(element: JsonElement, number: number): Omit<ProjectFile, 'project'> {
  if (element.problem === 'too-large') {
    const known = headTexts(element.head);
    const name = nameOfText(known.get('filename') ?? null, `File ${number}`);
    return { id: cleanId(known.get('uuid') || String(number)), name, file: 'file-too-large' };
  }
  const { uuid = null, filename = null, content = null } = doc.parse(valueOf(element)) ?? {};
  const name = nameOfText(filename, `File ${number}`);
  const is = { id: cleanId(uuid || String(number)), name };
  if (content === null) return { ...is, file: 'file-not-in-export' };
  const bytes = Buffer.byteLength(content);
  if (bytes > limits.chatFileBytes) return { ...is, file: 'file-too-large' };
  if (content.trim() === '') return { ...is, file: 'file-empty' };
  const open = () => Promise.resolve(Readable.from([Buffer.from(content.toWellFormed())], { objectMode: false }));
  return { ...is, file: { name, bytes, open } };
}
