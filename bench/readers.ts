// 200 programs follow the event streams of two organisations through the built product, 20 of them without ever reading:
// how soon the others hear, and what all of them cost in memory.
import { newId } from '@parley/platform/ids';
import { messagesOf, ParleyClient } from '@parley/testing/client';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { inFolder, startProduct } from './embedded.ts';
import { atPace, percentile, wait } from './product.ts';

const organisations = 2;
const keysOfEach = 5;
const readersOfKey = 18;
const silentOfKey = 2;
const pace = { count: 200, perSecond: 10 };

type Heard = (groupId: string, at: number) => void;

export async function benchReaders(interruption: Promise<never>): Promise<void> {
  await inFolder(async (folder) => {
    const product = await startProduct({ folder, environment: {} });
    try {
      await Promise.race([measure(product), interruption]);
    } finally {
      await product.close();
    }
  });
}

async function measure(product: Awaited<ReturnType<typeof startProduct>>): Promise<void> {
  const delays: number[] = [];
  const sentAt = new Map<string, number>();
  const heard: Heard = (groupId, at) => delays.push(at - sentAt.get(groupId)!);
  const owners = await Promise.all(Array.from({ length: organisations }, () => anOwner(product.url)));
  await wait(2_000);
  const idle = product.rssMb();
  const silent: Socket[] = [];
  for (const owner of owners)
    for (let key = 0; key < keysOfEach; key += 1) {
      const secret = await aKey(owner);
      for (let count = 0; count < readersOfKey; count += 1) await follow(product.url, secret, heard);
      for (let count = 0; count < silentOfKey; count += 1) silent.push(neverRead(product.url, secret));
    }
  await wait(2_000);
  const waiting = product.rssMb();
  const cpuBefore = product.cpuSeconds().parley;
  const expected = pace.count * keysOfEach * readersOfKey;
  await atPace(pace, async (index) => {
    const id = newId('group');
    sentAt.set(id, performance.now());
    await owners[index % organisations]!.call('POST /api/org/groups', { body: { id, name: `Group ${index}` } });
  });
  for (let left = 100; left > 0 && delays.length < expected; left -= 1) await wait(100);
  const measured = {
    readers: organisations * keysOfEach * (readersOfKey + silentOfKey),
    'of these never read': silent.length,
    'events told': delays.length,
    'share delivered': delays.length / expected,
    'from the request to the reader, p50, ms': percentile(delays, 0.5),
    'from the request to the reader, p99, ms': percentile(delays, 0.99),
    'CPU seconds': product.cpuSeconds().parley - cpuBefore,
    'RSS before, MB': idle,
    'RSS with 200 readers that wait, MB': waiting,
    'RSS after the events, MB': product.rssMb(),
  };
  for (const socket of silent) socket.destroy();
  const report = { at: new Date().toISOString(), cores: cpus().length, measured };
  writeFileSync(join(import.meta.dirname, 'latest-readers.json'), `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
}

async function anOwner(url: string): Promise<ParleyClient> {
  const owner = new ParleyClient(url);
  const email = `${newId('user').toLowerCase()}@example.com`;
  await owner.register({ name: 'Bench', email, password: 'three quiet herons' });
  await owner.createOrganisation('Bench');
  return owner;
}

async function aKey(owner: ParleyClient): Promise<string> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Bench', permissions: ['events:read' as const], endsAt };
  return (await owner.call('POST /api/auth/my-api-keys', { body })).secret!;
}

/** Resolves when the stream has begun, and reads on to its end. */
async function follow(url: string, secret: string, heard: Heard): Promise<void> {
  const response = await fetch(`${url}/v1/events?type=group.*`, { headers: { authorization: `Bearer ${secret}` } });
  if (!response.ok) throw new Error(await response.text());
  void (async () => {
    for await (const { data } of messagesOf(response))
      if (data !== '') heard((JSON.parse(data) as { data: { groupId: string } }).data.groupId, performance.now());
  })().catch(() => undefined);
}

function neverRead(url: string, secret: string): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname)
    .pause()
    .on('error', () => undefined);
  socket.write(`GET /v1/events?cursor=0 HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${secret}\r\n\r\n`);
  return socket;
}
