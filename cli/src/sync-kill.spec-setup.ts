import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConnectionSource, Document } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ownProcesses, type Started } from './own-process.spec-setup.ts';
import { startObjects } from './objects.spec-setup.ts';

const ines = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
const passagesEach = 48;
/** A search shows ten at most: the passages of a document are asked for a part at a time. */
const passagesAsked = 8;
const parts = passagesEach / passagesAsked;

/** Each passage has a word that only so many of its own document have, and one that says of which version it is. */
const textOf = (at: number, version: number): string =>
  Array.from(
    { length: passagesEach },
    (_, passage) =>
      `## Part ${passage}\n\nheron${at}x${passage % parts} edition${version} ${Array.from({ length: 60 }, (_each, word) => `w${at}x${passage}x${word}`).join(' ')}.\n`,
  ).join('\n');
const keyOf = (at: number): string => `wiki/${String(at).padStart(3, '0')}.md`;

/** How a sync of so many documents ends that is killed again and again, and at last while it removes. */
export function testKilledSyncs({ documents, kills }: { readonly documents: number; readonly kills: number }): void {
  const { start } = ownProcesses();
  let objects: Awaited<ReturnType<typeof startObjects>>;
  beforeAll(async () => void (objects = await startObjects(10)));
  afterAll(() => objects.close());

  test(
    `a bucket of ${documents} documents is synced through ${kills + 1} kills: each is there once, whole and as it is in the bucket`,
    async () => {
      const settings = { PARLEY_OUTBOUND_ALLOW: objects.address };
      let { child, url, setupToken } = await start(settings);
      let client = new ParleyClient(url);
      await client.register({ ...ines, setupToken });
      const { id: orgId } = await client.createOrganisation('Lindmoor Energy');
      const source: ConnectionSource = {
        kind: 'bucket',
        endpoint: `http://${objects.address}`,
        region: 'eu',
        bucket: 'docs',
        prefix: '',
        accessKeyId: 'key-id',
      };
      const versions = new Map<number, number>();
      const put = (at: number, version: number): void => {
        versions.set(at, version);
        objects.put(keyOf(at), textOf(at, version));
      };
      const restart = async (failpoint: Record<string, string> = {}): Promise<void> => {
        const gone = once(child, 'exit');
        if (child.signalCode === null) {
          child.kill('SIGKILL');
          await gone;
        }
        const again: Started = await start({ ...settings, ...failpoint });
        ({ child, url } = again);
        client = new ParleyClient(url);
        await client.signIn(ines.email, ines.password);
        client.orgId = orgId;
      };
      /** Killed by turns while it fetches and while documents are read, later and later. */
      const killing = async (times: number): Promise<void> => {
        for (let kill = 1; kill <= times; kill += 1) {
          const { state } = await connectionOf(client, made.id);
          if (kill % 2 === 1 && state === 'syncing') await objects.nextAsked(kill);
          else await untilRead(client, (versions.size * kill) / (times + 2));
          await delay((kill * 37) % 150);
          hit.push(await whatIsLeft(client, made.id));
          await restart();
          await expectWhole(client, versions);
        }
      };
      const hit: (readonly ['syncing' | 'ended', 'reading' | 'read'])[] = [];
      for (let at = 0; at < documents; at += 1) put(at, 1);
      const made = await client.call('POST /api/chat/connections', {
        body: {
          id: newId('connection'),
          name: 'Wiki',
          source,
          audience: { kind: 'everybody' },
          schedule: 'manual',
          secret: 'hush',
        },
      });
      await killing(Math.ceil(kills / 2));
      await expectSynced(client, made.id, versions);
      const first = await connectionOf(client, made.id);
      expect(first.lastSync).toMatchObject({ found: documents, removed: 0, failed: 0, failure: null });
      expect(first.lastSync!.fetched + first.lastSync!.unchanged).toBe(documents);

      const [gone, changed, added] = [Math.floor(documents / 10), Math.floor(documents / 2), 3];
      for (let at = 0; at < gone; at += 1) {
        versions.delete(at);
        objects.remove(keyOf(at));
      }
      for (let at = gone; at < gone + changed; at += 1) put(at, 2);
      for (let at = documents; at < documents + added; at += 1) put(at, 1);
      await restart({ PARLEY_TEST_FAILPOINT: 'unseen-removed' });
      const dead = once(child, 'exit');
      await client.call('POST /api/chat/connections/:connectionId/sync', { params: { connectionId: made.id } });
      expect((await dead)[1]).toBe('SIGKILL');
      await restart();
      await killing(Math.floor(kills / 2));
      expect(hit.map(([sync]) => sync)).toContain('syncing');
      expect(hit.filter(([, read]) => read === 'reading').length).toBeGreaterThanOrEqual(kills / 2);
      await expectSynced(client, made.id, versions);
      const second = await connectionOf(client, made.id);
      const found = documents - gone + added;
      expect(second.lastSync).toMatchObject({ found, removed: gone, failed: 0, failure: null });
      expect(second.lastSync!.fetched + second.lastSync!.unchanged).toBe(found);
      expect(second.lastSync!.fetched).toBeGreaterThanOrEqual(changed);
    },
    60_000 + kills * 30_000,
  );
}

async function connectionOf(client: ParleyClient, id: string) {
  const { items } = await client.call('GET /api/chat/connections');
  return items.find((each) => each.id === id)!;
}

/** Which of its work a sync and the reader still have before them. */
async function whatIsLeft(client: ParleyClient, id: string) {
  const { state, documents } = await connectionOf(client, id);
  return [
    state === 'syncing' ? 'syncing' : 'ended',
    documents.searchable < documents.all ? 'reading' : 'read',
  ] as const;
}

/** Until so many of those that wait are read, or all are. */
const untilRead = (client: ParleyClient, count: number): Promise<unknown> =>
  eventually(async () => {
    const { counts } = await client.call('GET /api/chat/documents', { query: { limit: 1 } });
    return counts.searchable >= Math.min(count, counts.all);
  }, 'documents should be read');

async function allDocuments(client: ParleyClient): Promise<Document[]> {
  const all: Document[] = [];
  for (let cursor: string | undefined, isMore = true; isMore;) {
    const page = await client.call('GET /api/chat/documents', { query: { limit: 100, ...(cursor && { cursor }) } });
    all.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    isMore = cursor !== undefined;
  }
  return all;
}

/** Which versions are found of a part of a document, of each passage one. */
async function editionsOf(client: ParleyClient, at: number, part: number): Promise<string[]> {
  const body = { text: `heron${at}x${part}` };
  const { passages } = await client.call('POST /api/chat/search-tests', { body });
  return passages.map(({ text }) => /edition\d/.exec(text)?.[0] ?? '').toSorted();
}

/** What is found of some documents now: all passages of one version, or nothing yet. */
async function expectWhole(client: ParleyClient, versions: ReadonlyMap<number, number>): Promise<void> {
  for (const at of [...versions.keys()].filter((_, place) => place % 5 === 0)) {
    const seen = await Promise.all([0, parts - 1].map((part) => editionsOf(client, at, part)));
    for (const editions of seen)
      if (editions.length > 0) expect(editions).toEqual(Array.from({ length: passagesAsked }, () => editions[0]));
  }
}

/** It has ended, says so, and the documents are those of the bucket, each once and in its version. */
async function expectSynced(client: ParleyClient, id: string, versions: ReadonlyMap<number, number>): Promise<void> {
  await eventually(
    async () => {
      expect((await connectionOf(client, id)).state).toBe('ready');
      for (const { status } of await allDocuments(client)) expect(status).toBe('searchable');
    },
    'the sync should end, and all be searchable',
    60_000,
  );
  const documents = await allDocuments(client);
  expect(documents.map(({ address }) => String(address)).toSorted()).toEqual(
    [...versions.keys()].map(keyOf).toSorted(),
  );
  expect(new Set(documents.map(({ passageCount }) => passageCount))).toEqual(new Set([passagesEach]));
  expect((await connectionOf(client, id)).documents).toMatchObject({ all: versions.size, searchable: versions.size });
  for (const [at, version] of versions)
    for (const part of [0, parts - 1])
      expect(await editionsOf(client, at, part)).toEqual(
        Array.from({ length: passagesAsked }, () => `edition${version}`),
      );
}
