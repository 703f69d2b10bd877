import { z } from 'zod';
import type { ChatNode, FileRef, NodeLoss, RawBroken, RawChat } from '../chat-node.ts';
import { cleanFileName } from '../cleaning.ts';
import { mapInTurns } from '../in-turns.ts';
import { flag, id, listIn, listOf, text, time, unread } from '../json-fields.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

export const parleyChatFormat = 'parley-chat';
export const parleyIndexFormat = 'parley-export';
export const parleyVersion = 1;

const message = z.object({
  id,
  parentId: id,
  role: text,
  text,
  createdAt: time,
  model: text,
  chatbot: text,
  files: listOf(z.object({ id: text, name: text, mediaType: text, path: text })),
});
const chat = z.object({
  id,
  version: z.literal(parleyVersion),
  title: text,
  createdAt: time,
  lastActivityAt: time,
  pinned: flag,
  archived: flag,
  openMessageId: id,
  messages: unread,
});

function nodeOf(given: z.infer<typeof message>, at: number): ChatNode {
  const losses: NodeLoss[] = [];
  const files = given.files.flatMap(({ path, name, mediaType }): FileRef[] => {
    const called = cleanFileName(name ?? '') || 'file';
    if (path !== null) return [{ name: called, mediaType, ids: [path], content: null }];
    losses.push({ what: 'file-not-in-export', name: called });
    return [];
  });
  return {
    id: given.id ?? `message-${at}`,
    parentId: given.parentId,
    role: given.role === 'person' || given.role === 'assistant' ? given.role : null,
    // As it is: the same tree comes back, with answers that failed before their first word and questions without an answer.
    text: (given.text ?? '').toWellFormed().replaceAll('\0', ''),
    isWhole: true,
    createdAt: given.createdAt,
    model: given.model ?? given.chatbot,
    files,
    losses,
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
    return {
      sourceId: read.id,
      title: read.title,
      createdAt: read.createdAt,
      updatedAt: read.lastActivityAt,
      isPinned: read.pinned,
      isArchived: read.archived,
      nodes: nodes.flat(),
      openId: read.openMessageId,
    };
  },
};
