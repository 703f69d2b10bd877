import { z } from 'zod';
import type { ChatNode, NodeLoss, RawBroken, RawChat } from '../chat-node.ts';
import { cleanFileName, cleanText } from '../cleaning.ts';
import { mapInTurns, Turns, type GiveWay } from '../in-turns.ts';
import { flag, id, listOf, objectOf, text, time } from '../json-fields.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

const file = z.object({ filename: text, filepath: text, file_id: text });
const part = z.object({
  type: text,
  // A text, or an object with the text as its value.
  text: z.union([z.string(), objectOf({ value: text })]).optional(),
  image_file: objectOf({ filename: text, filepath: text, file_id: text }),
  image_url: objectOf({ url: text }),
});
const message = z.object({
  messageId: id,
  parentMessageId: id,
  isCreatedByUser: z.unknown().optional(),
  sender: text,
  text,
  content: listOf(part),
  model: text,
  createdAt: time,
  updatedAt: time,
  error: flag,
  files: listOf(file),
  attachments: listOf(file),
  children: z.unknown().optional(),
});
type Message = z.infer<typeof message>;
const conversation = z.object({
  conversationId: id,
  title: text,
  options: objectOf({ model: text }),
  messages: z.unknown().optional(),
  messagesTree: z.unknown().optional(),
});

const start = '00000000-0000-0000-0000-000000000000';

type Placed = { readonly message: Message; readonly parentId: string | null; readonly id: string };

/** All messages of a list whose rows can have rows nested in them, by the parent that they name or are nested in. */
async function flattened(rows: unknown, giveWay: GiveWay): Promise<Placed[]> {
  const turns = new Turns(giveWay);
  const found: Placed[] = [];
  const open: { readonly row: unknown; readonly parentId: string | null }[] = [];
  const add = (given: unknown, parentId: string | null): void => {
    if (Array.isArray(given)) for (const row of given.toReversed()) open.push({ row, parentId });
  };
  add(rows, null);
  for (let next = open.pop(); next; next = open.pop()) {
    await turns.next();
    const read = message.safeParse(next.row).data;
    if (!read) continue;
    const named = read.parentMessageId === start ? null : read.parentMessageId;
    const own = read.messageId ?? `message-${found.length}`;
    found.push({ message: read, parentId: named ?? next.parentId, id: own });
    add(read.children, own);
  }
  return found;
}

const artifactMark = /^:::artifact\{[^}\n]*\}[ \t]*\n/gm;
const thinkingMark = ':::thinking';
/** Line by line, since a search for each end would take too long in a text of nothing but beginnings. */
function withoutThinking(given: string): string {
  if (!given.includes(thinkingMark)) return given;
  const kept: string[] = [];
  let isThinking = false;
  for (const line of given.split('\n')) {
    if (!isThinking && line.trimEnd() === thinkingMark) isThinking = true;
    else if (!isThinking) kept.push(line);
    else if (line.trimEnd() === ':::') isThinking = false;
  }
  return kept.join('\n');
}

function withoutDirectives(given: string): string {
  if (!given.includes(':::')) return given;
  const bare = withoutThinking(given);
  return artifactMark.test(bare) ? bare.replaceAll(artifactMark, '').replaceAll(/^:::[ \t]*$/gm, '') : bare;
}

const textOfPart = ({ type, text: given }: Message['content'][number]): string => {
  if (type !== 'text') return '';
  return (typeof given === 'string' ? given : given?.value) ?? '';
};

function isPersons({ isCreatedByUser, sender }: Message): boolean {
  return isCreatedByUser === true || (typeof isCreatedByUser !== 'boolean' && sender?.toLowerCase() === 'user');
}

/** The export holds where files were stored, never the files. */
function lossesOf({ files, attachments, content }: Message): NodeLoss[] {
  const pictures = content.flatMap(({ image_file, image_url }) => [
    ...(image_file ? [image_file] : []),
    ...(image_url ? [{ filename: 'image', filepath: null, file_id: null }] : []),
  ]);
  const byId = new Map(
    [...files, ...attachments, ...pictures].map((each) => {
      const name = cleanFileName(each.filename ?? each.filepath ?? '') || 'file';
      return [each.file_id ?? each.filepath ?? name, name];
    }),
  );
  return [...byId.values()].map((name) => ({ what: 'file-not-in-export', name }));
}

function nodeOf({ message: given, parentId, id: own }: Placed, model: string | null): ChatNode {
  const role = isPersons(given) ? 'person' : 'assistant';
  const parts = given.content.map(textOfPart).filter((each) => each.trim() !== '');
  const raw = given.content.length > 0 ? parts.join('\n\n') : (given.text ?? '');
  // A failure is no answer, and what follows it moves up.
  const isFailure = given.error && role === 'assistant';
  return {
    id: own,
    parentId,
    role: isFailure ? null : role,
    text: cleanText(withoutDirectives(raw)),
    createdAt: given.createdAt ?? given.updatedAt,
    model: given.model ?? model,
    files: [],
    losses: lossesOf(given),
  };
}

const byTime = (nodes: readonly ChatNode[]): Date[] =>
  nodes.flatMap(({ createdAt }) => createdAt ?? []).toSorted((one, other) => one.getTime() - other.getTime());

export const libreChat: SourceReader = {
  source: 'librechat',
  isChat: (fields) => fields.has('conversationId') && (fields.has('messages') || fields.has('messagesTree')),
  idOf: (fields) => idIn(fields, 'conversationId'),
  async read(value: object, { giveWay }: ReadingContext): Promise<RawChat | RawBroken> {
    const read = conversation.safeParse(value).data;
    if (!read) return { broken: 'not-a-chat', sourceId: null, title: null };
    const placed = await flattened(read.messages ?? read.messagesTree, giveWay);
    const nodes = await mapInTurns(placed, (each) => nodeOf(each, read.options?.model ?? null), giveWay);
    const times = byTime(nodes);
    return {
      sourceId: read.conversationId,
      title: read.title,
      // The conversation's own times are not exported.
      createdAt: times[0] ?? null,
      updatedAt: times.at(-1) ?? null,
      isPinned: false,
      isArchived: false,
      nodes,
      openId: null,
    };
  },
};
