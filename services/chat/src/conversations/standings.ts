import type { MessageId } from '@parley/contracts';
import type { MessageRow } from './message.collection.ts';
import { depthOf, runOf, standingUnder, type Standing } from './message-tree.ts';

/** The fields of a message that decide its place. */
export type Placed = Pick<MessageRow, '_id' | 'parentId' | 'position'>;

/**
 * Returns the places of all messages of a conversation, and the number of runs (chains without a fork). The preferred
 * path, which ends at `leafId`, gets one run if possible. A message with a missing parent, or in a circle, begins a
 * path, so that none is lost.
 */
export function standingsOf(
  messages: readonly Placed[],
  leafId: MessageId | null,
): { readonly standings: ReadonlyMap<MessageId, Standing>; readonly lastRun: number } {
  const byId = new Map(messages.map((message) => [message._id, message]));
  const preferred = new Set(pathOf(byId, leafId));
  const ordered = messages.toSorted(
    (one, other) => Number(preferred.has(other._id)) - Number(preferred.has(one._id)) || one.position - other.position,
  );
  const children = Map.groupBy(ordered, ({ parentId }) => (parentId && byId.has(parentId) ? parentId : null));
  const standings = new Map<MessageId, Standing>();
  let lastRun = 0;
  const place = (message: Placed, parentId: MessageId | null): void => {
    const above = parentId ? (standings.get(parentId) ?? null) : null;
    const beside = (children.get(parentId) ?? []).flatMap(({ _id }) => standings.get(_id) ?? []);
    const { lastRun: run, ...standing } = standingUnder(above, { children: beside, lastRun });
    lastRun = run;
    standings.set(message._id, standing);
  };
  const grow = (roots: readonly Placed[]): void => {
    const waiting = roots.map((message) => ({ message, parentId: null as MessageId | null })).toReversed();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (standings.has(next.message._id)) continue;
      place(next.message, next.parentId);
      const { _id } = next.message;
      waiting.push(...(children.get(_id) ?? []).map((message) => ({ message, parentId: _id })).toReversed());
    }
  };
  grow(children.get(null) ?? []);
  // Remaining messages are in a circle or below one: the oldest begins a path.
  for (const message of ordered) if (!standings.has(message._id)) grow([message]);
  return { standings, lastRun };
}

/** Returns the path from the leaf to the start, by parents. */
function pathOf(byId: ReadonlyMap<MessageId, Placed>, leafId: MessageId | null): MessageId[] {
  const path = new Set<MessageId>();
  for (let id = leafId; id && !path.has(id) && byId.has(id); id = byId.get(id)?.parentId ?? null) path.add(id);
  return [...path];
}

type Seen = Pick<MessageRow, '_id' | 'role' | 'parentId' | 'text' | 'isDiscarded'>;

/**
 * Returns the parents of questions as people saw them before conversations had branches: the newest answer with text to
 * the question before, otherwise that question's newest answer. A discarded question has the parent of the next one.
 * The stored parent was then the newest answer of all, even to an earlier question. Takes all messages in order of
 * creation, and the running answer, which will have a text.
 */
export function parentsSeen(
  messages: readonly Seen[],
  runningId: MessageId | null,
): { readonly parents: ReadonlyMap<MessageId, MessageId | null>; readonly leafId: MessageId | null } {
  const answers = Map.groupBy(
    messages.filter(({ role }) => role === 'assistant'),
    ({ parentId }) => parentId,
  );
  const parents = new Map<MessageId, MessageId | null>();
  let before: MessageId | null = null;
  let leafId: MessageId | null = null;
  for (const { _id, isDiscarded } of messages.filter(({ role }) => role === 'person')) {
    parents.set(_id, before);
    if (isDiscarded) continue;
    const own: Seen[] = answers.get(_id) ?? [];
    const shown: Seen | undefined =
      own.findLast((answer) => answer.text !== '' || answer._id === runningId) ?? own.at(-1);
    leafId = own.at(-1)?._id ?? _id;
    before = shown?._id ?? _id;
  }
  return { parents, leafId };
}

/** The fields of a message that decide its place, and who discarded it. */
export const placedFields = [
  'role',
  'parentId',
  'text',
  'author',
  'isDiscarded',
  'deletedAt',
  'position',
  'place',
  'forks',
] as const;
type Known = Pick<MessageRow, '_id' | (typeof placedFields)[number]>;
export type PlaceChange = Standing & Pick<MessageRow, '_id' | 'parentId' | 'deletedAt' | 'deletedBy'>;

/**
 * Returns the changes that place all messages of a conversation, given in order of creation. In a conversation up to
 * 0.3.0 (`isLine`) the path is what people saw; otherwise the parents decide.
 */
export function treeOf(
  messages: readonly Known[],
  { runningId, isLine }: { readonly runningId: MessageId | null; readonly isLine: boolean },
): {
  readonly changes: readonly PlaceChange[];
  readonly lastRun: number;
  readonly deletions: number;
  readonly leafId: MessageId | null;
} {
  const { parents, leafId } = isLine
    ? parentsSeen(messages, runningId)
    : { parents: new Map<MessageId, MessageId | null>(), leafId: messages.at(-1)?._id ?? null };
  const placed = messages.map((message) => {
    const seen = parents.get(message._id);
    return { ...message, parentId: seen === undefined ? message.parentId : seen };
  });
  const { standings, lastRun } = standingsOf(placed, leafId);
  // A discarded question counts as deleted now, so that it can be restored for seven more days.
  const deletedAt = new Date();
  const changes = placed.flatMap(({ _id, parentId, isDiscarded, author }) => {
    const standing = standings.get(_id);
    const deletion = { deletedAt, deletedBy: author?.userId ?? null };
    return standing ? [{ _id, parentId, ...standing, ...(isLine && isDiscarded && deletion) }] : [];
  });
  const deletions = messages.filter((message) => message.deletedAt || (isLine && message.isDiscarded)).length;
  return { changes, lastRun, leafId, deletions };
}

/** Returns whether places and forks match the parents; each run can have any number. */
export function isTree(messages: readonly Omit<Known, 'role' | 'text' | 'author'>[], lastRun = 0): boolean {
  const byId = new Map(messages.map((message) => [message._id, message]));
  const places = new Set(messages.map(({ place }) => place));
  return (
    places.size === messages.length &&
    messages.every(({ place, forks = [], parentId }) => {
      const parent = parentId === null ? undefined : byId.get(parentId);
      if (place === undefined || runOf(place) > lastRun) return false;
      if (!parent) return depthOf(place) === 1 && forks.length === 0;
      const { place: above = 0, forks: forksAbove = [] } = parent;
      const expected = place === above + 1 ? forksAbove : [above, ...forksAbove];
      return depthOf(place) === depthOf(above) + 1 && isSame(forks, expected);
    })
  );
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((fork, index) => fork === other[index]);
