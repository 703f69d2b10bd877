import type { ExportedAnswer, ReadChat, ReadFile, ReadMessage } from '@parley/chat-exports';
import type { Citation, ConversationId, FileId, GenerationId, MessageId } from '@parley/contracts';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import { mostForks, mostVersions, standingsOf, type Standing } from '../../conversations/index.ts';
import type { NewLoss } from './import-losses.ts';

/** A message of an export as it is written, without its place in the tree. */
export type Drafted = {
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  readonly role: ReadMessage['role'];
  readonly text: string;
  readonly createdAt: Date;
  /** Of the source; null of an answer that stands for one that the source has not. */
  readonly sourceId: string | null;
  readonly files: readonly { readonly id: FileId; readonly file: ReadFile }[];
  readonly answer: DraftedAnswer | null;
};
export type DraftedAnswer = {
  readonly id: GenerationId;
  readonly model: string | null;
  /** The source has none: it is `stopped`. */
  readonly isMissing: boolean;
  /** Comes with Parley exports; its citations name the files that come with the chat. */
  readonly exported: ExportedAnswer | null;
};
export type Planned = Drafted & Standing & { readonly position: number };

export type ChatPlan = {
  readonly messages: readonly Planned[];
  readonly lastRun: number;
  readonly leafId: MessageId | null;
  readonly losses: readonly NewLoss[];
};

/** The conversation that a chat becomes, and which of its messages have the id that earlier versions gave them. */
export type IdsIn = { readonly conversation: ConversationId; readonly former: ReadonlySet<MessageId> };

/** Returns the id of a message: one that no client can name, unless an earlier version has stored it under another. */
export const messageIdOf = (ids: IdsIn, sourceId: string): MessageId =>
  apartUnlessFormer(ids, formerIdOf(ids.conversation, sourceId));

const formerIdOf = (conversation: ConversationId, sourceId: string): MessageId =>
  derivedId('message', [conversation, sourceId]);
const formerMissingOf = (conversation: ConversationId, parentId: MessageId): MessageId =>
  derivedId('message', [conversation, parentId, 'no answer']);
const apartUnlessFormer = ({ former }: IdsIn, id: MessageId): MessageId => (former.has(id) ? id : apartFromClients(id));

/** Lists the ids under which an earlier version can have stored these messages, where today's are others. */
export const formerIdsOf = (conversation: ConversationId, sourceIds: readonly string[]): MessageId[] =>
  sourceIds
    .map((sourceId) => formerIdOf(conversation, sourceId))
    .flatMap((id) => [id, formerMissingOf(conversation, id)])
    .filter((id) => apartFromClients(id) !== id);

/** Branches beside the one path that every chat has: one for each further version of a message. */
export function branchesIn(messages: readonly Pick<ReadMessage, 'parentId'>[]): number {
  const children = new Map<string | null, number>();
  for (const { parentId } of messages) children.set(parentId, (children.get(parentId) ?? 0) + 1);
  return [...children.values()].reduce((sum, count) => sum + count - 1, 0);
}

/** The same each time for the same chat and conversation, so that writing that was cut off goes on where it was. */
export function planChat(chat: ReadChat, { ids, now }: { readonly ids: IdsIn; readonly now: Date }): ChatPlan {
  const { kept, losses } = withinBounds(chat);
  const drafted = draftsOf(kept, { chat, ids, now });
  const placed = drafted.map(({ id, parentId }, at) => ({ _id: id, parentId, position: at + 1 }));
  const leafId = leafOf(drafted, chat.openId === null ? null : messageIdOf(ids, chat.openId));
  const { standings, lastRun } = standingsOf(placed, leafId);
  const messages = drafted.flatMap((message, at) => {
    const standing = standings.get(message.id);
    return standing ? [{ ...message, ...standing, position: at + 1 }] : [];
  });
  return { messages, lastRun, leafId, losses };
}

/** In the order of time, each behind the one that it follows; a question without an answer gets an empty one. */
export function draftsOf(
  messages: readonly ReadMessage[],
  {
    chat,
    ids,
    now,
  }: { readonly chat: Pick<ReadChat, 'createdAt' | 'updatedAt' | 'messages'>; readonly ids: IdsIn; readonly now: Date },
): Drafted[] {
  const files = filesIn(chat, ids);
  const times = timesOf(messages, { chat, now });
  const answered = new Set(messages.map(({ parentId }) => parentId));
  const ordered = messages
    .map((message, at) => ({ message, at, time: times.get(message.sourceId) ?? now.getTime() }))
    .toSorted((one, other) => one.time - other.time || one.at - other.at);
  return ordered.flatMap(({ message, time }) => {
    const drafted = draftOf(message, { ids, createdAt: new Date(time), files });
    const isOpen = message.role === 'person' && !answered.has(message.sourceId);
    return isOpen ? [drafted, missingAnswer(drafted, ids)] : [drafted];
  });
}

/** Which file here is each that citations of the export name. */
function filesIn({ messages }: Pick<ReadChat, 'messages'>, ids: IdsIn): ReadonlyMap<string, FileId> {
  const named = messages.flatMap(({ sourceId, files }) =>
    files.flatMap(({ id }, at) => (id ? [[id, fileIdOf(messageIdOf(ids, sourceId), at)] as const] : [])),
  );
  return new Map(named);
}

const fileIdOf = (id: MessageId, at: number): FileId => apartFromClients(derivedId('file', [id, at]));

/** A cited file that the export lacks gets an id that names nothing. */
const citedHere = (
  { fileId, ...cited }: Citation,
  { ids, files }: { readonly ids: IdsIn; readonly files: ReadonlyMap<string, FileId> },
): Citation => {
  if (!fileId) return cited;
  return { ...cited, fileId: files.get(fileId) ?? apartFromClients(derivedId('file', [ids.conversation, fileId])) };
};

function draftOf(
  message: ReadMessage,
  {
    ids,
    createdAt,
    files,
  }: { readonly ids: IdsIn; readonly createdAt: Date; readonly files: ReadonlyMap<string, FileId> },
): Drafted {
  const { sourceId, role, text, parentId, model, exported = null } = message;
  const citations = exported?.citations.map((each) => citedHere(each, { ids, files })) ?? [];
  const id = messageIdOf(ids, sourceId);
  return {
    id,
    parentId: parentId === null ? null : messageIdOf(ids, parentId),
    role,
    text,
    createdAt,
    sourceId,
    files: message.files.map((file, at) => ({ id: fileIdOf(id, at), file })),
    answer:
      role === 'person'
        ? null
        : { id: generationIdOf(id), model, isMissing: false, exported: exported && { ...exported, citations } },
  };
}

const generationIdOf = (id: MessageId): GenerationId => apartFromClients(derivedId('generation', [id]));

/** A question that nothing follows has an answer here: it can be asked again there. */
function missingAnswer({ id: parentId, createdAt }: Drafted, ids: IdsIn): Drafted {
  const id = apartUnlessFormer(ids, formerMissingOf(ids.conversation, parentId));
  const answer = { id: generationIdOf(id), model: null, isMissing: true, exported: null };
  return { id, parentId, role: 'assistant', text: '', createdAt, sourceId: null, files: [], answer };
}

/** The open message, or the answer that stands below it; else the newest end. */
function leafOf(drafted: readonly Drafted[], openId: MessageId | null): MessageId | null {
  const open = openId ? drafted.find(({ id }) => id === openId) : undefined;
  if (!open) return drafted.findLast(({ role }) => role === 'assistant')?.id ?? drafted.at(-1)?.id ?? null;
  const below = open.role === 'person' ? drafted.find(({ parentId }) => parentId === open.id) : undefined;
  return (below ?? open).id;
}

/** Of each message: its own time, else that of the one before it, else of the chat; never before its parent nor in the future. */
function timesOf(
  messages: readonly ReadMessage[],
  { chat, now }: { chat: Pick<ReadChat, 'createdAt' | 'updatedAt'>; now: Date },
): ReadonlyMap<string, number> {
  const latest = now.getTime();
  const next = messages.find(({ createdAt }) => createdAt !== null)?.createdAt;
  const first = Math.min((chat.createdAt ?? next ?? chat.updatedAt ?? now).getTime(), latest);
  const times = new Map<string, number>();
  for (const { sourceId, parentId, createdAt } of messages) {
    const above = parentId === null ? undefined : times.get(parentId);
    const own = createdAt?.getTime() ?? above ?? first;
    times.set(sourceId, Math.min(Math.max(own, above ?? 0), latest));
  }
  return times;
}

/**
 * What a chat can have: so many versions of a message, and so many edits on one path (`message-tree.ts`). Anything beyond
 * is left out with all that follows from it.
 */
export function withinBounds({ messages, openId }: Pick<ReadChat, 'messages' | 'openId'>): {
  readonly kept: readonly ReadMessage[];
  readonly losses: readonly NewLoss[];
} {
  const open = pathTo(messages, openId);
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  const forks = new Map<string, number>();
  for (const { sourceId, parentId } of messages) {
    const siblings = children.get(parentId) ?? [];
    const above = parentId === null ? 0 : forks.get(parentId);
    if (above === undefined) continue;
    const first = siblings.find((one) => open.has(one.sourceId)) ?? siblings[0];
    const shown = siblings.length <= mostVersions || isAmong(siblings, { sourceId, first });
    const own = first?.sourceId === sourceId || parentId === null ? above : above + 1;
    if (shown && own <= mostForks) forks.set(sourceId, own);
  }
  const lost = messages.filter(({ sourceId }) => !forks.has(sourceId));
  return {
    kept: lost.length === 0 ? messages : messages.filter(({ sourceId }) => forks.has(sourceId)),
    losses: lost.map(({ sourceId }) => ({ reason: 'too-many-versions', message: sourceId, name: null })),
  };
}

/** Whether it is one of the versions that are kept: the open one and the first others. */
function isAmong(
  siblings: readonly ReadMessage[],
  { sourceId, first }: { readonly sourceId: string; readonly first: ReadMessage | undefined },
): boolean {
  if (first?.sourceId === sourceId) return true;
  const others = siblings.filter((one) => one !== first).slice(0, mostVersions - 1);
  return others.some((one) => one.sourceId === sourceId);
}

function pathTo(messages: readonly ReadMessage[], openId: string | null): ReadonlySet<string> {
  const parents = new Map(messages.map(({ sourceId, parentId }) => [sourceId, parentId]));
  const path = new Set<string>();
  for (let id = openId; id !== null && parents.has(id) && !path.has(id); id = parents.get(id) ?? null) path.add(id);
  return path;
}
