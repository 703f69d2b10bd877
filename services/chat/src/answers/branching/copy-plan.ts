import type { ConversationId, MessageId } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import { isDeleted, isOnPath, standingsOf, type Located, type Standing } from '../../conversations/index.ts';

/** The fields of a message that decide whether it is copied, and to which place in the new conversation. */
export type Original = Located & { readonly position: number };
/** A message to copy: the id of its original, and its branch and parent in the new conversation. */
export type Copied = Standing & {
  readonly original: MessageId;
  readonly id: MessageId;
  readonly parentId: MessageId | null;
  /** The position of the copy in order of creation, from 1 on. */
  readonly position: number;
};
type Wanted = {
  readonly to: ConversationId;
  readonly leaf: Located;
  readonly copies: 'path' | 'all';
  readonly deleted: readonly Located[];
  /** The running answer. */
  readonly runningId: MessageId | null;
};

/** Returns the id of a message's copy in the conversation `to`. */
export const copyIdOf = (to: ConversationId, original: MessageId): MessageId => derivedId('message', [to, original]);

/**
 * Returns the messages to copy. The same conversations always give the same plan, so an interrupted copy can continue.
 */
export function copyPlan(
  originals: readonly Original[],
  { to, leaf, copies, deleted, runningId }: Wanted,
): { readonly messages: readonly Copied[]; readonly lastRun: number; readonly leafId: MessageId } {
  const idOf = (original: MessageId): MessageId => copyIdOf(to, original);
  const isCopied = (message: Original): boolean =>
    copies === 'path' ? isOnPath(message, leaf) : message._id !== runningId && !isDeleted(message, deleted);
  const placed = originals
    .filter(isCopied)
    .toSorted((one, other) => one.position - other.position)
    .map(({ _id, parentId }, index) => ({
      original: _id,
      _id: idOf(_id),
      parentId: parentId && idOf(parentId),
      position: index + 1,
    }));
  const leafId = idOf(leaf._id);
  const { standings, lastRun } = standingsOf(placed, leafId);
  const messages = placed.flatMap(({ _id, ...message }) => {
    const standing = standings.get(_id);
    return standing ? [{ ...message, id: _id, ...standing }] : [];
  });
  return { messages, lastRun, leafId };
}
