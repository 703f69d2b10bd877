import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { embeddedConfig, openDataFolder, startEmbedded } from '@parley/embedded';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { newId } from '@parley/platform/ids';
import { createLogger } from '@parley/platform/logging';
import { Mongo } from '@parley/platform/mongo';
import { describeOn, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { startSecantus } from '@parley/testing/servers';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** So many that a move takes seconds. */
const manyMessages = 3_000;
const startsWithinMs = 300_000;
const program = join(import.meta.dirname, '../dist/cli.js');

describeOn('parley migrate', await startSecantus(), (mongodb) => {
  const work = mkdtempSync(join(tmpdir(), 'parley-migrate-'));
  const data = join(work, 'data');
  const children = new Set<ChildProcess>();
  let admin: Mongo;
  beforeAll(async () => {
    await fill(data);
    admin = await Mongo.connect(mongodb.url);
  }, startsWithinMs);
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await admin.close();
    rmSync(work, { recursive: true, force: true });
  });

  const inDatabase = (name: string) => admin.connection.useDb(name);
  function start(
    keysOut: string,
    environment: Record<string, string> = {},
  ): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
    const child = spawn(process.execPath, [program, 'migrate', '--data', data, '--keys-out', join(work, keysOut)], {
      env: {
        PATH: '/usr/bin:/bin',
        TMPDIR: tmpdir(),
        PARLEY_MONGO_URL: mongodb.url,
        PARLEY_BLOBS_FOLDER: join(work, 'blobs'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (output += text.toString()));
    return { child, ended: new Promise((resolve) => void child.once('close', (code) => resolve({ code, output }))) };
  }

  const countMessages = () => inDatabase('parley_chat').collection('messages').countDocuments();

  test('without a place of uploads it says so and writes nothing', async () => {
    const child = start('keys', { PARLEY_BLOBS_FOLDER: '' });
    expect(await child.ended).toEqual({
      code: 1,
      output: expect.stringContaining('PARLEY_S3_ENDPOINT: say where uploaded files are kept'),
    });
    const unusable = start('keys', { PARLEY_BLOBS_FOLDER: join(data, 'store.sqlite') });
    expect(await unusable.ended).toMatchObject({ code: 1 });
    expect(await inDatabase('parley_auth').listCollections()).toEqual([]);
  });

  test('killed in the middle it leaves the folder untouched and no keys', async () => {
    const before = digestOf(join(data, 'store.sqlite'));
    const { child, ended } = start('keys');
    await eventually(
      async () => expect(await countMessages()).toBeGreaterThan(0),
      'some messages should have arrived',
      120_000,
    );
    child.kill('SIGKILL');
    expect(await ended).toEqual({ code: null, output: '' });
    expect(await countMessages()).toBeLessThan(manyMessages);
    expect([digestOf(join(data, 'store.sqlite')), existsSync(join(work, 'keys'))]).toEqual([before, false]);
  });

  test('run again as it was, it brings the whole folder to a server that is not ours, with its uploads and keys', async () => {
    const { code, output } = await start('keys').ended;
    expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    expect(output).toMatch(
      new RegExp(`^parley_chat\\.messages: ${manyMessages + 2}, sha256 [0-9a-f]{16}… on both sides$`, 'm'),
    );
    expect(output).toMatch(/^uploads \(1\), bytes: \d+/m);
    expect(readFileSync(join(work, 'keys/sealing.key'), 'utf8').trim()).toBe(
      (JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8')) as { sealingKey: string }).sealingKey,
    );
    expect(Object.keys(await inDatabase('parley_auth').collection('users').indexInformation()).length).toBeGreaterThan(
      1,
    );
    expect(await inDatabase('parley_chat').collection('schema_state').countDocuments()).toBe(1);
  });

  test('then the destination is an installation like any other, and is refused', async () => {
    const again = await start('other-keys').ended;
    expect(again).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^parley: parley_auth\.\w+ of the destination is not empty: move into a fresh installation\.\n$/,
      ),
    });
    expect(await countMessages()).toBe(manyMessages + 2);
  });
});

/** A data folder of one organisation with a document, an answer, and more messages than anybody reads. */
async function fill(data: string): Promise<void> {
  const parley = await startEmbedded({
    folder: await openDataFolder(data),
    logger: createLogger({ name: 'test', level: 'silent' }),
    failpoint: async () => {},
    checkResponses: true,
    config: embeddedConfig.parse({ PARLEY_PORT: '0', PARLEY_REGISTRATION: 'open' }),
  });
  const owner = new ParleyClient(parley.url);
  await owner.register({ name: 'Mover', email: 'mover@example.com', password: 'three quiet herons' });
  await owner.createOrganisation('Movers');
  await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
  await owner.send(newId('conversation'), 'How do I restart the gateway?');
  await parley.close();

  const store = await startEmbeddedMongo({ file: join(data, 'store.sqlite') });
  const chat = await Mongo.connect(store.uri('parley_chat'));
  const messages = chat.connection.collection('messages');
  const question = await messages.findOne({ role: 'person' });
  await messages.insertMany(
    Array.from({ length: manyMessages }, (_unused, at) => ({
      ...question,
      _id: newId('message'),
      conversationId: newId('conversation'),
      position: at + 1,
    })) as never[],
  );
  await chat.close();
  await store.close();
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
