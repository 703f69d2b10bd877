import { z } from 'zod';
import type { ChatNode, FileRef, NodeLoss, RawBroken, RawChat } from '../chat-node.ts';
import { cleanFileName, cleanId, cleanText, withoutHiddenDetails } from '../cleaning.ts';
import { mapInTurns, type GiveWay } from '../in-turns.ts';
import { entriesIn, flag, id, listIn, listOf, objectOf, text, texts, time, unread } from '../json-fields.ts';
import { dataUrlFile, withoutDataUrls } from './data-urls.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

const file = z.object({
  type: text,
  id: text,
  url: text,
  name: text,
  content_type: text,
  file: objectOf({ filename: text, data: objectOf({ content: text }) }),
});
const message = z.object({
  id,
  parentId: id,
  childrenIds: texts,
  role: text,
  content: z.unknown().optional(),
  timestamp: time,
  model: text,
  modelName: text,
  files: listOf(file),
});
type Message = z.infer<typeof message>;
const chat = objectOf({
  title: text,
  history: objectOf({ currentId: id, messages: unread }),
  messages: unread,
  timestamp: time,
});
const row = z.object({
  id,
  title: text,
  chat,
  created_at: time,
  updated_at: time,
  archived: flag,
  pinned: flag,
  folder_id: text,
  current_message_id: id,
});

const part = z.object({ type: text, text, image_url: objectOf({ url: text }) });
/** Content is a text, or parts as a model gets them. */
function partsOf(content: unknown): { readonly text: string; readonly images: FileRef[] } {
  if (typeof content === 'string') return { text: content, images: [] };
  const parts = listOf(part).parse(content);
  return {
    text: parts
      .map((each) => each.text ?? '')
      .filter(Boolean)
      .join('\n\n'),
    images: parts.flatMap(({ image_url }) => dataUrlFile(image_url?.url ?? '', 'image')),
  };
}

/** Documents are exported as their text, pictures as data URLs or, in newer versions, as an id alone. */
function filesOf(given: Message['files'], losses: NodeLoss[]): FileRef[] {
  return given.flatMap(({ url, name, file: inner }): FileRef[] => {
    const called = cleanFileName(inner?.filename ?? name ?? '') || 'file';
    const picture = dataUrlFile(url ?? '', name ?? 'image');
    const document = inner?.data?.content ?? null;
    if (picture.length > 0) return picture;
    if (document === null || document === '') {
      losses.push({ what: 'file-not-in-export', name: called });
      return [];
    }
    const isText = /\.(?:md|markdown|txt|text|csv|html?)$/i.test(called);
    return [
      {
        name: isText ? called : `${called}.txt`,
        mediaType: null,
        ids: [],
        content: Buffer.from(document.toWellFormed()),
      },
    ];
  });
}

function nodeOf(given: Message, nodeId: string): ChatNode {
  const losses: NodeLoss[] = [];
  const content = partsOf(given.content);
  const drawn = withoutDataUrls(withoutHiddenDetails(content.text));
  const role = given.role === 'user' ? 'person' : given.role === 'assistant' ? 'assistant' : null;
  return {
    id: nodeId,
    parentId: given.parentId,
    childIds: given.childrenIds.map(cleanId),
    role,
    text: cleanText(drawn.text),
    createdAt: given.timestamp,
    model: given.modelName ?? given.model,
    files: [...content.images, ...drawn.files, ...filesOf(given.files, losses)],
    losses,
  };
}

/** Some nodes have no role: an answer names its model, or answers a person. */
function withRole(given: Message, nodeId: string, roles: ReadonlyMap<string, unknown>): ChatNode {
  if (given.role !== null) return nodeOf(given, nodeId);
  const above = roles.get(given.parentId ?? '');
  const isAnswer = given.model !== null || above === 'user';
  return nodeOf({ ...given, role: isAnswer ? 'assistant' : 'user' }, nodeId);
}

const roleIn = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'role' in given ? given.role : null;

async function nodesOf(
  { history, messages }: NonNullable<z.infer<typeof chat>>,
  giveWay: GiveWay,
): Promise<ChatNode[]> {
  const tree = entriesIn(history?.messages).map(([key, given]) => [cleanId(key), given] as const);
  const roles = new Map(tree.map(([key, given]) => [key, roleIn(given)]));
  // A list is one branch; rows of the first versions have no ids.
  const list = tree.length > 0 ? [] : listIn(messages).map((given) => [null, given] as const);
  let before: string | null = null;
  const nodes = await mapInTurns(
    [...tree, ...list],
    ([key, given], at) => {
      const read = message.safeParse(given).data;
      if (!read) return [];
      const node = withRole(read, key ?? read.id ?? `message-${at}`, roles);
      if (key !== null) return [node];
      const parentId = read.parentId ?? before;
      before = node.id;
      return [{ ...node, parentId }];
    },
    giveWay,
  );
  return nodes.flat();
}

export const openWebUi: SourceReader = {
  source: 'open-webui',
  isChat: (fields) => {
    const inner = fields.get('chat');
    if (typeof inner === 'object' && inner !== null) return 'history' in inner || 'messages' in inner;
    const isRow = fields.has('user_id') || fields.has('models');
    return (fields.has('chat') && isRow) || (fields.has('history') && isRow);
  },
  idOf: (fields) => idIn(fields, 'id'),
  async read(value: object, context: ReadingContext): Promise<RawChat | RawBroken> {
    const read = row.safeParse(value).data;
    // Rows of the first versions are the chat itself.
    const inner = read?.chat ?? chat.parse(value);
    if (!read || !inner) return { broken: 'not-a-chat', sourceId: null, title: null };
    const nodes = await nodesOf(inner, context.giveWay);
    const opened = inner.history?.currentId ?? read.current_message_id;
    return {
      sourceId: read.id,
      title: read.title ?? inner.title,
      createdAt: read.created_at ?? inner.timestamp,
      updatedAt: read.updated_at,
      isPinned: read.pinned,
      isArchived: read.archived,
      project: read.folder_id ? { id: cleanId(read.folder_id), name: null } : null,
      nodes,
      openId: opened ?? (entriesIn(inner.history?.messages).length > 0 ? null : (nodes.at(-1)?.id ?? null)),
    };
  },
};
