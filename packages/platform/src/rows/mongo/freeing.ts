import { AsyncLocalStorage } from 'node:async_hooks';

const freeing = new AsyncLocalStorage<true>();

/** Marks commands that free space, and transactions that begin with one, for the embedded store. */
export const freeingComment = 'frees space';

/**
 * Runs a deletion, whose writes can use the store's reserve while the disk is full, because they make room. Only the
 * embedded store has a reserve; MongoDB ignores the mark.
 */
export const freeingSpace = <Result>(act: () => Result): Result => freeing.run(true, act);

/** Returns the mark to send with the present command, if it frees space. */
export const markOfCommand = (): { readonly comment?: string } =>
  freeing.getStore() === true ? { comment: freeingComment } : {};
