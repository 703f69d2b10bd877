import { Problem } from '@parley/protocol';

/**
 * Where a message stands in the tree of its conversation. `parentId` is the truth; `place` and `forks` follow from it and
 * are stored with it, so that any part of a path is one query on an index (ADR 0042).
 *
 * A run is a line of messages that each follow the one before. A message goes on with the run of its parent unless
 * another one does already: then it begins a run of its own. `place` is the run's number times a million plus the depth,
 * which is 1 for a first message. `forks` are the places at which the path to it leaves other runs, nearest first.
 */
export type Standing = { readonly place: number; readonly forks: number[] };
const perRun = 1_000_000;
/** Limits the runs that a path leaves: each stands for an edit, and its row names them all. */
export const mostForks = 500;
/** Limits the versions of one message. Each is read with a page that shows one of them. */
export const mostVersions = 100;

export const runOf = (place: number): number => Math.floor(place / perRun);
export const depthOf = (place: number): number => place % perRun;

/**
 * Returns the place of a new message under this parent (null: at the start) with these children so far; `lastRun` is
 * the newest run of the conversation, 0 for none.
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

/** Returns the place of a message at that depth without branches. */
export const standingInLine = (depth: number): Standing => ({ place: perRun + depth, forks: [] });
/** Returns whether a message has the place that its position gives it without branches. */
export const isInLine = ({ place, position }: { readonly place?: number | undefined; readonly position: number }) =>
  place === standingInLine(position).place;
/** The place of the first message of a conversation. */
export const firstStanding = standingInLine(1);
/** Returns the place of the first message after this one. */
export const next = ({ place, forks }: Standing): Standing => ({ place: place + 1, forks });

/** Throws `chat.too-many-versions` if there can be no more of them. */
export function assertRoom(children: readonly unknown[], { forks }: Pick<Standing, 'forks'>): void {
  const detail =
    children.length >= mostVersions
      ? `A message has at most ${mostVersions} versions.`
      : forks.length > mostForks
        ? `A path has at most ${mostForks} places at which it was edited. Branch to a new chat to go on.`
        : null;
  if (detail) throw new Problem('chat.too-many-versions', { detail });
}

/** Places from the first to the last, both included. */
export type PlaceRange = { readonly $gte: number; readonly $lte: number };

/** Returns the places of the messages on the path to this one, from this depth to that one; nearest first. */
export function rangesOfPath({ place, forks }: Standing, from = 1, to = depthOf(place)): PlaceRange[] {
  return [place, ...forks]
    .map((last) => ({ run: runOf(last) * perRun, depth: depthOf(last) }))
    .map(({ run, depth }) => ({ $gte: run + from, $lte: run + Math.min(to, depth) }))
    .filter(({ $gte, $lte }) => $gte <= $lte);
}

/** Returns whether the path to `other` leads through `message`, or ends there. */
export const isOnPath = (message: Standing, other: Standing): boolean =>
  [other.place, ...other.forks].some(
    (last) => runOf(last) === runOf(message.place) && depthOf(last) >= depthOf(message.place),
  );

/**
 * Returns filters without a common message: it with everything below it in its run, and what is below in other runs.
 * Each is a range of an index; both in one `$or` would read the whole conversation.
 */
export function withAllBelow({ place }: Standing) {
  const range: PlaceRange = { $gte: place, $lte: (runOf(place) + 1) * perRun - 1 };
  return [{ place: range }, { forks: { $elemMatch: range } }] as const;
}
