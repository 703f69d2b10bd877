import { citation, generationFailure } from '@parley/contracts';
import { z } from 'zod';
import type { ExportFile } from '../archive.ts';
import type { ChatNode, FileRef, NodeLoss, RawBroken, RawChat } from '../chat-node.ts';
import { cleanFileName, cleanId, cleanLine, mostProjectNameLength } from '../cleaning.ts';
import { mapInTurns } from '../in-turns.ts';
import { flag, id, listIn, listOf, objectOf, text, texts, time, unread } from '../json-fields.ts';
import type { ExportedAnswer } from '../read-chat.ts';
import { mostProjects, projectName, type DescribedProject, type LostProject } from './described-projects.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

export const parleyChatFormat = 'parley-chat';
export const parleyIndexFormat = 'parley-export';
const parleyProjectsFormat = 'parley-projects';
export const parleyVersion = 1;

/** Above what a project can have. */
const mostConnections = 50;
/** Of one answer. */
const mostCitations = 200;
/** Characters of the name of a document, and of a heading in it. */
const mostSourceLength = 500;

const exportedFile = z.object({ id: text, name: text, mediaType: text, path: text });
const message = z.object({
  id,
  parentId: id,
  role: text,
  text,
  createdAt: time,
  model: text,
  chatbot: text,
  state: text,
  failure: text,
  unfinished: flag,
  citations: listOf(z.object(citation.shape)),
  files: listOf(exportedFile),
});
type Message = z.infer<typeof message>;
const chat = z.object({
  id,
  version: z.literal(parleyVersion),
  title: text,
  createdAt: time,
  lastActivityAt: time,
  pinned: flag,
  archived: flag,
  openMessageId: id,
  project: objectOf({ id, name: text }),
  branchedFrom: objectOf({ chatId: id, messageId: id }),
  messages: unread,
});
const project = z.object({
  id,
  name: text,
  instructions: text,
  chatbot: text,
  pinned: flag,
  archived: flag,
  createdAt: time,
  connections: texts,
  files: listOf(exportedFile),
});
const projects = z.object({ format: z.literal(parleyProjectsFormat), projects: unread });

/** As its person wrote it. */
const asItIs = (given: string | null): string => (given ?? '').toWellFormed().replaceAll('\0', '');

const states: readonly (ExportedAnswer['state'] | null)[] = ['stopped', 'failed', 'interrupted'];

function answerOf({ state, failure, unfinished, chatbot, citations }: Message): ExportedAnswer {
  // An answer that was being written at the export never ended here.
  const ended = states.find((one) => one === state) ?? (unfinished ? 'interrupted' : 'done');
  return {
    state: ended,
    failure: ended === 'failed' ? generationFailure.catch('internal').parse(failure) : null,
    chatbot: cleanLine(chatbot ?? '', mostProjectNameLength) || null,
    citations: citations
      .slice(0, mostCitations)
      .map(({ documentName, heading, ...cited }) => ({
        ...cited,
        documentName: cleanLine(documentName, mostSourceLength),
        heading: heading === null ? null : cleanLine(heading, mostSourceLength),
      })),
  };
}

function nodeOf(given: Message, at: number): ChatNode {
  const losses: NodeLoss[] = [];
  const files = given.files.flatMap(({ id: fileId, path, name, mediaType }): FileRef[] => {
    const called = cleanFileName(name ?? '') || 'file';
    if (path !== null) return [{ name: called, mediaType, ids: [path], content: null, id: fileId }];
    losses.push({ what: 'file-not-in-export', name: called });
    return [];
  });
  const role = given.role === 'person' || given.role === 'assistant' ? given.role : null;
  return {
    id: given.id ?? `message-${at}`,
    parentId: given.parentId,
    role,
    // As it is: the same tree comes back, with answers that failed before their first word and questions without an answer.
    text: asItIs(given.text),
    isWhole: true,
    createdAt: given.createdAt,
    model: given.model,
    files,
    losses,
    exported: role === 'assistant' ? answerOf(given) : null,
  };
}

export const parley: SourceReader = {
  source: 'parley',
  isChat: (fields) => fields.get('format') === parleyChatFormat,
  idOf: (fields) => idIn(fields, 'id'),
  async read(value: object, { giveWay }: ReadingContext): Promise<RawChat | RawBroken> {
    const read = chat.safeParse(value).data;
    if (!read) return { broken: 'not-a-chat', sourceId: null, title: null };
    const nodes = await mapInTurns(
      listIn(read.messages),
      (given, at) => {
        const one = message.safeParse(given).data;
        return one ? [nodeOf(one, at)] : [];
      },
      giveWay,
    );
    const { project: own, branchedFrom: from } = read;
    return {
      sourceId: read.id,
      title: read.title,
      createdAt: read.createdAt,
      updatedAt: read.lastActivityAt,
      isPinned: read.pinned,
      isArchived: read.archived,
      project: own?.id ? { id: cleanId(own.id), name: projectName(own.name) } : null,
      branchedFrom: from?.chatId && from.messageId ? { chatId: from.chatId, messageId: from.messageId } : null,
      nodes: nodes.flat(),
      openId: read.openMessageId,
    };
  },
};

export const hasParleyProjects = ({ path }: ExportFile): boolean =>
  /(?:^|\/)projects\.json$/i.test(path) && !/(?:^|\/)files\//.test(path);

/** The projects that a value of such a file lists. */
export const parleyProjectsIn = (value: unknown, lost?: LostProject): DescribedProject[] =>
  listIn(projects.safeParse(value).data?.projects)
    .slice(0, mostProjects)
    .flatMap((given) => {
      const { data } = project.safeParse(given);
      if (data?.id) return [projectOf({ ...data, id: data.id })];
      lost?.(data?.name);
      return [];
    });

const projectOf = ({
  id: sourceId,
  instructions,
  pinned: isPinned,
  archived: isArchived,
  connections,
  files,
  ...more
}: z.infer<typeof project> & { readonly id: string }): DescribedProject => ({
  sourceId,
  ...more,
  instructions: asItIs(instructions),
  isPinned,
  isArchived,
  connections: connections.slice(0, mostConnections).map((name) => projectName(name) ?? ''),
  files: files.map(({ id: fileId, name, mediaType, path }) => ({
    name: cleanFileName(name ?? '') || 'file',
    mediaType,
    ids: path === null ? [] : [path],
    content: null,
    id: fileId,
  })),
});
