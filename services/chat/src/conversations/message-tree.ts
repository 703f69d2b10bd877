import { Problem } from '@parley/protocol';

/**
 * The position of a message in the tree of its conversation. `parentId` is the truth; `place` and `forks` are derived
 * and stored, so that any part of a path is one query on an index (ADR 0042).
 * A run is a chain of messages without a fork. A message joins the run of its parent unless another one has already:
 * then it begins a new run. `place` is the run's number times a million plus the depth, which is 1 for a first message.
 * `forks` are the places at which the path to the message leaves other runs, nearest first.
 */
export type Standing = { readonly place: number; readonly forks: number[] };
const perRun = 1_000_000;
/** The most runs that a path can leave: each is an edit, and every row lists them all. */
export const mostForks = 500;
/** The most versions of one message: a page that shows one of them reads them all. */
export const mostVersions = 100;

export const runOf = (place: number): number => Math.floor(place / perRun);
export const depthOf = (place: number): number => place % perRun;

/**
 * Returns the place of a new message below this parent (null: at the start), which has these children so far. `lastRun`
 * is the newest run of the conversation, 0 for none.
 */
export function standingUnder(
  parent: Standing | null,
  { children, lastRun }: { readonly children: readonly Pick<Standing, 'place'>[]; readonly lastRun: number },
): Standing & { readonly lastRun: number } {
  if (parent && children.every(({ place }) => place !== parent.place + 1))
    return { place: parent.place + 1, forks: parent.forks, lastRun };
  const run = lastRun + 1;
  const place = run * perRun + (parent ? depthOf(parent.place) + 1 : 1);
  return { place, forks: parent ? [parent.place, ...parent.forks] : [], lastRun: run };
}

/** Returns the place of a message at this depth in a conversation without branches. */
export const standingInLine = (depth: number): Standing => ({ place: perRun + depth, forks: [] });
/** Returns whether a message's place is the one for its position in a conversation without branches. */
export const isInLine = ({ place, position }: { readonly place?: number | undefined; readonly position: number }) =>
  place === standingInLine(position).place;
/** The place of the first message of a conversation. */
export const firstStanding = standingInLine(1);
/** Returns the place of the first message that follows this one. */
export const next = ({ place, forks }: Standing): Standing => ({ place: place + 1, forks });

/** Throws `chat.too-many-versions` if a parent has too many children, or a path too many forks. */
export function assertRoom(children: readonly unknown[], { forks }: Pick<Standing, 'forks'>): void {
  const detail =
    children.length >= mostVersions
      ? `A message has at most ${mostVersions} versions.`
      : forks.length > mostForks
        ? `A path has at most ${mostForks} places at which it was edited. Branch to a new chat to go on.`
        : null;
  if (detail) throw new Problem('chat.too-many-versions', { detail });
}

/** A range of places, both ends included. */
export type PlaceRange = { readonly $gte: number; readonly $lte: number };

/** Returns ranges with the places of the path to this message, from one depth to another; nearest first. */
export function rangesOfPath({ place, forks }: Standing, from = 1, to = depthOf(place)): PlaceRange[] {
  return [place, ...forks]
    .map((last) => ({ run: runOf(last) * perRun, depth: depthOf(last) }))
    .map(({ run, depth }) => ({ $gte: run + from, $lte: run + Math.min(to, depth) }))
    .filter(({ $gte, $lte }) => $gte <= $lte);
}

/** Returns whether the path to `other` leads through `message`, or ends at it. */
export const isOnPath = (message: Standing, other: Standing): boolean =>
  [other.place, ...other.forks].some(
    (last) => runOf(last) === runOf(message.place) && depthOf(last) >= depthOf(message.place),
  );

/**
 * Returns two filters without a common message: the message and everything below it in its run, and messages below it
 * in other runs. Each is a range of an index; together in one `$or` they would read the whole conversation.
 */
export function withAllBelow({ place }: Standing) {
  const range: PlaceRange = { $gte: place, $lte: (runOf(place) + 1) * perRun - 1 };
  return [{ place: range }, { forks: { $elemMatch: range } }] as const;
}
