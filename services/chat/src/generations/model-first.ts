import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Until a request that was just made to a model has left: on a used connection that is in the turn after the next one.
 * What nobody waits for as much comes after it.
 */
export async function modelFirst(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
