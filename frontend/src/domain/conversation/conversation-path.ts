import type {
  Conversation,
  GenerationStatus,
  Message,
  MessageElsewhere,
  MessageId,
  MessageVersions,
} from '@parley/contracts';

/** A page of one path, or what has changed since, as `GET …/path` answers. */
export type PathPage = {
  readonly items: readonly Message[];
  readonly sequence: number;
  readonly hasOlder: boolean;
  readonly hasNewer?: boolean | undefined;
  readonly title: string;
  readonly leafId: MessageId | null;
  readonly placeVersion: number;
  readonly versions: readonly MessageVersions[];
  readonly elsewhere: readonly MessageElsewhere[];
  readonly branchedFrom?: BranchedFrom | undefined;
  readonly archived?: boolean | undefined;
};

/** The message at which a branch began, and the title of its chat; null: that was deleted. */
export type BranchedFrom = NonNullable<Conversation['branchedFrom']> & { readonly title?: string | null | undefined };

/** Of a parent, null at the start, what follows it at once, oldest first; absent where that is one message. */
export type Versions = ReadonlyMap<MessageId | null, readonly MessageId[]>;

const finished: ReadonlySet<GenerationStatus> = new Set(['done', 'stopped', 'failed', 'interrupted']);

export const hasEnded = (status: GenerationStatus): boolean => finished.has(status);

export const isRunning = ({ generation }: Pick<Message, 'generation'>): boolean =>
  generation !== null && !hasEnded(generation.status);

/** Answers that are being written. */
export const writtenIn = (elsewhere: readonly MessageElsewhere[]): MessageId[] =>
  elsewhere.flatMap(({ id, status }) => (status !== null && !hasEnded(status) ? [id] : []));

/**
 * The open path as far as it is known: each message follows the one before, up to its end. Every function keeps that, so
 * that what a client shows is a path however pages and changes cross.
 */
export type Path = readonly Message[];

/** The newest page of a path. What was known before it stays where the page follows it. */
export function withNewestPage(path: Path, { items }: Pick<PathPage, 'items'>): Path {
  const first = items[0];
  const at = first ? path.findIndex(({ id }) => id === first.parentId) : -1;
  return [...path.slice(0, at + 1), ...newestOf(items, path)];
}

/** A page before the first known message; of another path it is not taken. */
export function withOlderPage(path: Path, { items }: Pick<PathPage, 'items'>): Path {
  const [first] = path;
  if (!first || items.at(-1)?.id !== first.parentId) return path;
  return [...items, ...path];
}

/**
 * What has changed on the path, and what goes on from its end: the newest where several do. What lies before the first
 * known message comes with its older page. A deleted message ends the path in front of it.
 */
export function withChanges(path: Path, changes: readonly Message[]): Path {
  const known = newestOf(path, changes);
  const gone = known.findIndex(({ isDeleted }) => isDeleted);
  const kept = gone < 0 ? known : known.slice(0, gone);
  const followers = Map.groupBy(
    changes.filter(({ isDeleted }) => !isDeleted),
    ({ parentId }) => parentId,
  );
  const longer = [...kept];
  for (;;) {
    const next = followers
      .get(longer.at(-1)?.id ?? null)
      ?.toSorted(byPosition)
      .at(-1);
    if (!next || longer.some(({ id }) => id === next.id)) return longer;
    longer.push(next);
  }
}

/** A message that this client has just asked for: it goes on from its parent, in place of what did before. */
export function withMessage(path: Path, message: Message): Path {
  if (path.some(({ id }) => id === message.id)) return newestOf(path, [message]);
  const parent = path.findIndex(({ id }) => id === message.parentId);
  // Its branch was left meanwhile.
  if (message.parentId !== null && parent < 0) return path;
  return [...path.slice(0, parent + 1), message];
}

/** All versions of a message of the path, oldest first; null where it is the only one. */
export function versionsOf(versions: Versions, { id, parentId }: Message): readonly MessageId[] | null {
  const all = versions.get(parentId);
  return all && all.length > 1 && all.includes(id) ? all : null;
}

/**
 * The answer that a page tells of first, to the question at the end of the path: asked once more, mostly on another device
 * that shows this path, too. A reader at the end goes on to it. Null where there is none.
 */
export function newAnswer(
  path: Path,
  versions: Versions,
  { elsewhere }: Pick<PathPage, 'elsewhere'>,
): MessageId | null {
  const leaf = path.at(-1);
  if (leaf?.role !== 'assistant') return null;
  const known = versions.get(leaf.parentId) ?? [];
  const newer = elsewhere.filter(
    ({ id, role, parentId, position, isDeleted }) =>
      role === 'assistant' &&
      parentId === leaf.parentId &&
      position > leaf.position &&
      !isDeleted &&
      !known.includes(id),
  );
  return newer.at(-1)?.id ?? null;
}

export function withVersions(versions: Versions, told: readonly MessageVersions[]): Versions {
  return told.length === 0
    ? versions
    : new Map([...versions, ...told.map(({ parentId, ids }) => [parentId, ids] as const)]);
}

/** A page names versions only where there are several: the others of its messages have lost theirs. */
export function withVersionsOf(
  versions: Versions,
  { items, versions: told }: Pick<PathPage, 'items' | 'versions'>,
): Versions {
  const others = new Map(versions);
  for (const { parentId } of items) others.delete(parentId);
  return withVersions(others, told);
}

/** A new message beside those that are known. */
export function withVersion(versions: Versions, path: Path, { id, parentId }: Message): Versions {
  const shown = path.find((message) => message.parentId === parentId);
  const known = versions.get(parentId) ?? (shown ? [shown.id] : []);
  return known.includes(id) || known.length === 0 ? versions : new Map([...versions, [parentId, [...known, id]]]);
}

/** Each message in its newer copy. */
function newestOf(path: Path, others: readonly Message[]): Path {
  const byId = new Map(others.map((message) => [message.id, message]));
  return path.map((message) => {
    const other = byId.get(message.id);
    return other && other.sequence > message.sequence ? other : message;
  });
}

const byPosition = (one: Message, other: Message): number => one.position - other.position;
