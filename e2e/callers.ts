import { expect } from '@jest/globals';
import { eventually } from '@parley/testing';
import type { ParleyClient, ReadingTab } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';

/** An ended session gets nothing once it has been refused so often: both BFFs have heard of it. */
const refusedInARow = 10;
const refusedWithinMs = 60_000;

/** What a caller sees, and after how long. */
export async function ask(
  person: ParleyClient,
  method: string,
  path: string,
  ...[body]: unknown[]
): Promise<{ status: number; code: unknown; ms: number }> {
  const askedAt = Date.now();
  const response = await person.raw(
    method,
    path,
    body === undefined ? {} : { body: JSON.stringify(body), contentType: 'application/json' },
  );
  const { code } = (await response.json()) as { code?: unknown };
  return { status: response.status, code, ms: Date.now() - askedAt };
}

/** On a connection of its own, so that the balancer takes both BFFs in turn. */
export const statusOf = async (device: ParleyClient): Promise<number> =>
  (await device.raw('GET', '/api/chat/conversations', { headers: { connection: 'close' } })).status;

/** Ends the session by one of its tabs; times count from the answer that said so. */
export async function endSession(
  device: ParleyClient,
  tab: ReadingTab,
): Promise<{ socketMs: number; lastPassedMs: number; refusals: number[] }> {
  const other = device.copy();
  for (let tries = 0; tries < 4; tries += 1)
    await eventually(async () => expect(await statusOf(other)).toBe(200), 'the session should hold');
  const cut = new Promise<number>((resolve) => void tab.socket.once('disconnect', () => resolve(Date.now())));
  await device.call('DELETE /api/auth/sessions/current');
  const revokedAt = Date.now();
  let lastPassedMs = 0;
  const refusals: number[] = [];
  for (let inARow = 0; inARow < refusedInARow; await wait(20)) {
    const askedMs = Date.now() - revokedAt;
    if (askedMs > refusedWithinMs) throw new Error(`The session still holds after ${askedMs} ms.`);
    const status = await statusOf(other);
    if (status === 200) [lastPassedMs, inARow] = [askedMs, 0];
    else refusals.push(status);
    if (status === 401) inARow += 1;
  }
  return { socketMs: (await cut) - revokedAt, lastPassedMs, refusals };
}
