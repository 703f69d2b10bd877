import { expect } from '@jest/globals';
import type { ParleyClient, ReadingTab } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';

/** From then on an ended session gets nothing. */
export const revokedWithinMs = 1_000;

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
  for (let tries = 0; tries < 4; tries += 1) expect(await statusOf(other)).toBe(200);
  const cut = new Promise<number>((resolve) => void tab.socket.once('disconnect', () => resolve(Date.now())));
  await device.call('DELETE /api/auth/sessions/current');
  const revokedAt = Date.now();
  let lastPassedMs = 0;
  const refusals: number[] = [];
  for (let askedMs = 0; askedMs < revokedWithinMs + 300; askedMs = Date.now() - revokedAt) {
    const status = await statusOf(other);
    if (status === 200) lastPassedMs = askedMs;
    else refusals.push(status);
    await wait(20);
  }
  return { socketMs: (await cut) - revokedAt, lastPassedMs, refusals };
}
