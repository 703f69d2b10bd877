import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

/** Fewer than a key or a person can have. */
const ofEachKind = 15;
/** A stream has two ends here and two between the parts, a web socket two. */
const handles = 6 * ofEachKind;
/** Other connections come meanwhile: far fewer than one for each client. */
const others = 10;
let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}, 90_000);
afterAll(() => running.close());

/** Counts those of this process: the product and its clients run in it. */
const openFiles = (): number => readdirSync('/proc/self/fd').length;
const many = <Result>(open: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: ofEachKind }, open));

async function follow(secret: string): Promise<Socket> {
  const { hostname, port } = new URL(running.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /v1/events HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${secret}\r\n\r\n`);
  const [begin] = (await once(socket, 'data')) as [Buffer];
  expect(begin.toString()).toMatch(/^HTTP\/1\.1 200 /);
  return socket;
}
async function openTab() {
  const socket = owner.socket();
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('connect_error', reject));
  return socket;
}

test('clients of streams and web sockets that leave take their file handles along', async () => {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Board', permissions: ['events:read' as const], endsAt };
  const { secret } = await owner.call('POST /api/auth/my-api-keys', { body });
  const before = openFiles();
  const [streams, tabs] = [await many(() => follow(secret!)), await many(openTab)];
  const during = openFiles();
  expect(during).toBeGreaterThan(before + handles - others);
  for (const stream of streams) stream.destroy();
  for (const tab of tabs) tab.close();
  await eventually(() => openFiles() < during - handles + others, 'their handles are closed');
});
