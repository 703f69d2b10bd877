import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../../connections/index.ts';
import { newDocument } from './document.ts';
import { DocumentsRepository } from './documents.repository.ts';

const { mongo, work, clock, ready } = await testStore();
const documents = new DocumentsRepository(mongo);
const tests = jobScope('tests');
beforeAll(ready);

const inWork = <Result>(act: Parameters<typeof work.run<Result>>[1]) => work.run(job('tests'), act);

async function store(orgId: OrgId, name: string): Promise<DocumentId> {
  const connectionId = defaultConnectionIdOf(orgId);
  const file = { id: newId('document'), orgId, connectionId, name, mediaType: 'text/plain' as const, bytes: 1 };
  const row = newDocument(file, 'Somebody', clock.now());
  await inWork((tx) => documents.create(tests.in(orgId), row, tx));
  return row._id;
}

describe('an organisation', () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const uploads = [defaultConnectionIdOf(mine)];
  const [my, their] = [tests.in(mine), tests.in(theirs)];
  let [plan, notes, foreign]: DocumentId[] = [];
  beforeAll(async () => {
    plan = await store(mine, 'Plan for winter.txt');
    notes = await store(mine, 'Notes.txt');
    foreign = await store(theirs, 'Plan of others.txt');
  });

  test('lists its own documents only, newest first, by state and by the start of a word', async () => {
    const list = async (query: object) =>
      (await documents.list(my, uploads, { limit: 10, ...query })).items.map((document) => document.id);
    expect(await list({})).toEqual([notes, plan]);
    expect(await list({ name: 'wint' })).toEqual([plan]);
    expect(await list({ name: 'plan' })).toEqual([plan]);
    expect(await list({ status: 'failed' })).toEqual([]);
    const first = await documents.list(my, uploads, { limit: 1 });
    expect(await list({ cursor: first.nextCursor })).toEqual([plan]);
  });

  test("counts, reads, deletes and retries nothing of another's", async () => {
    expect(await documents.count(my, uploads)).toBe(2);
    const [connectionId] = uploads;
    expect(await documents.countByState(my, uploads)).toEqual([{ connectionId, status: 'stored', count: 2 }]);
    expect(await documents.find(my, foreign!)).toBeNull();
    const now = clock.now();
    expect(await inWork((tx) => documents.setDeleted(my, foreign!, { isDeleted: true, now }, tx))).toBeNull();
    expect(await inWork((tx) => documents.requeue(my, foreign!, tx))).toBeNull();
    expect(await documents.find(their, foreign!)).toMatchObject({ isDeleted: false, status: 'stored', version: 1 });
  });

  test('sees a deleted document no more until it is restored', async () => {
    const set = (isDeleted: boolean) =>
      inWork((tx) => documents.setDeleted(my, notes!, { isDeleted, now: clock.now() }, tx));
    expect(await set(true)).toMatchObject({ isDeleted: true, deletedAt: clock.now(), version: 2 });
    expect(await set(true)).toBeNull();
    expect(await documents.count(my, uploads)).toBe(1);
    const listed = async () => (await documents.list(my, uploads, { limit: 10 })).items.map(({ id }) => id);
    expect(await listed()).toEqual([plan]);
    expect(await documents.find(my, notes!)).toBeNull();
    expect(await documents.find(my, notes!, { withDeleted: true })).not.toBeNull();
    expect(await set(false)).toMatchObject({ isDeleted: false, deletedAt: null, version: 3 });
    expect(await listed()).toEqual([notes, plan]);
  });
});

describe('a reader', () => {
  const minute = 60_000;
  const claim = async (orgId: OrgId, id: DocumentId) => {
    const seen = await documents.find(tests.in(orgId), id);
    return documents.claim(tests.in(orgId), seen!, new Date(clock.now().getTime() + minute));
  };
  const end = { status: 'searchable', failure: null, passageCount: 3, indexedAt: clock.now() } as const;

  test('a reader whose document another one has taken over ends nothing', async () => {
    const orgId = newId('organisation');
    const id = await store(orgId, 'One.txt');
    const slow = await claim(orgId, id);
    expect(slow).toMatchObject({ _id: id, status: 'reading' });
    clock.advance(minute + 1_000);
    const again = await claim(orgId, id);
    expect(again?._id).toBe(id);
    const finish = (held: typeof slow) => inWork((tx) => documents.finish(tests.in(orgId), held!, end, tx));
    expect(await finish(slow)).toBeNull();
    expect(await finish(again)).toMatchObject({ status: 'searchable', passageCount: 3, leaseUntil: null });
  });

  test('a document that two readers have seen is claimed by one', async () => {
    const orgId = newId('organisation');
    const id = await store(orgId, 'Both.txt');
    const seen = { ...(await documents.find(tests.in(orgId), id))! };
    const until = new Date(clock.now().getTime() + minute);
    const both = await Promise.all([0, 1].map(() => documents.claim(tests.in(orgId), seen, until)));
    expect(both.filter((row) => row !== null)).toHaveLength(1);
  });

  test('a deleted document is purged', async () => {
    const orgId = newId('organisation');
    const id = await store(orgId, 'Old.txt');
    await inWork((tx) => documents.setDeleted(tests.in(orgId), id, { isDeleted: true, now: clock.now() }, tx));
    await inWork((tx) => documents.purge(tests.in(orgId), id, tx));
    expect(await documents.find(tests.in(orgId), id, { withDeleted: true })).toBeNull();
  });

  test('a document that was restored meanwhile is not purged', async () => {
    const orgId = newId('organisation');
    const id = await store(orgId, 'Restored.txt');
    await inWork((tx) => documents.purge(tests.in(orgId), id, tx));
    expect((await documents.find(tests.in(orgId), id))?._id).toBe(id);
  });
});
