import { AsyncLocalStorage } from 'node:async_hooks';

const freeing = new AsyncLocalStorage<true>();

/** What the embedded store knows such commands by, and the transactions that begin with one. */
export const freeingComment = 'frees space';

/**
 * Runs what deletes something: its writes are let in from the store's reserve while the disk is full, for they lead to
 * room. The embedded store alone has a reserve; MongoDB ignores the mark.
 */
export const freeingSpace = <Result>(act: () => Result): Result => freeing.run(true, act);

/** What to send with a command of now. */
export const markOfCommand = (): { readonly comment?: string } =>
  freeing.getStore() === true ? { comment: freeingComment } : {};
