import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { orgId, userId, type OrgId, type UserId } from '@parley/protocol';
import { newId } from '../../base/ids/index.ts';
import { collection, eachRow, isDuplicateKey, jobScope, Mongo, type Rows } from './index.ts';
import { z } from 'zod';
import { anOrgId, startTestStore, type TestStore } from '@parley/testing';

const noteRows = collection(
  'notes',
  {
    _id: z.string(),
    orgId,
    authorId: userId,
    text: z.string(),
    tags: z.array(z.string()),
    place: z.object({ page: z.number() }).nullable(),
    kind: z.enum(['short', 'long']),
    at: z.date(),
    slug: z.string().nullable(),
  },
  {
    tenant: { organisation: 'orgId', person: 'authorId' },
    indexes: [
      { orgId: 1, at: -1, _id: -1 },
      { authorId: 1 },
      [{ slug: 1 }, { unique: true, partialFilterExpression: { slug: { $type: 'string' } } }],
    ],
  },
);
const wordRows = collection(
  'words',
  { _id: z.string(), orgId, text: z.string(), at: z.date(), searchKeys: z.array(z.string()) },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ orgId: 1, at: -1, _id: -1 }, { searchKeys: 1 }],
    keys: ['searchKeys'],
  },
);
const settingRows = collection('settings', { _id: z.string(), value: z.number() }, { tenant: 'platform' });
const officeRows = collection('offices', { _id: orgId, size: z.number() }, { tenant: { organisation: '_id' } });

const job = jobScope('tests');
const [mine, theirs] = [anOrgId(), anOrgId()];
const me = newId('user');
let store: TestStore;
let mongo: Mongo;
let notes: Rows<typeof noteRows>;
let words: Rows<typeof wordRows>;

const aNote = (id: string, more: Partial<{ orgId: OrgId; authorId: UserId; at: Date; slug: string }> = {}) => ({
  _id: id,
  orgId: mine,
  authorId: me,
  text: `text of ${id}`,
  tags: [],
  place: null,
  kind: 'short' as const,
  at: new Date(0),
  slug: null,
  ...more,
});

beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  mongo = await Mongo.connect(store.freshDatabase());
  notes = mongo.rows(noteRows);
  mongo.rows(officeRows);
  words = mongo.rows(wordRows);
  await mongo.applyIndexes();
  await notes.within(job).insertMany([aNote('mine'), aNote('theirs', { orgId: theirs, authorId: newId('user') })]);
});
afterEach(() => mongo.close());

describe('rows with keys', () => {
  const row = { _id: 'word', orgId: mine, text: 'a heron', at: new Date(0), searchKeys: ['a', 'heron'] };
  const { searchKeys, ...read } = row;

  test('are found by them, and read without them, whatever reads', async () => {
    const rows = words.within(job.in(mine));
    await rows.insert(row);
    const page = await rows.page({ limit: 1 }, { by: { at: -1 }, to: (found) => found });
    const each: unknown[] = [];
    for await (const found of eachRow(rows)) each.push(found);
    const reads = [
      ...(await rows.find({ searchKeys: 'heron' })),
      await rows.findOne({ searchKeys: 'heron' }),
      await rows.findById('word'),
      ...page.items,
      ...each,
      (await rows.insertOnce(row)).row,
      await rows.change({ _id: 'word' }, { $set: { text: 'a heron' } }),
    ];
    expect(reads).toEqual(Array.from({ length: 7 }, () => read));
  });

  test('give them to whoever asks for them by name', async () => {
    const rows = words.within(job.in(mine));
    await rows.insert(row);
    expect(await rows.find({ _id: 'word' }, { fields: ['searchKeys'] })).toEqual([{ _id: 'word', searchKeys }]);
  });
});

describe('rows within a scope', () => {
  test("of an organisation, of a person, and of a job: nobody reads another tenant's", async () => {
    const idsIn = async (scope: Parameters<typeof notes.within>[0]) =>
      (await notes.within(scope).find({}, { sort: { _id: 1 } })).map((row) => row._id);
    expect(await idsIn(job.in(mine))).toEqual(['mine']);
    expect(await idsIn(job.in(theirs))).toEqual(['theirs']);
    expect(await idsIn(job.of(me))).toEqual(['mine']);
    expect(await idsIn(job)).toEqual(['mine', 'theirs']);
  });

  test("no read, change or deletion reaches another tenant's row, whatever its filter says", async () => {
    const rows = notes.within(job.in(mine));
    const filters = [{ _id: 'theirs' }, { orgId: theirs }, { $or: [{ orgId: theirs }, { _id: 'theirs' }] }];
    for (const filter of filters) {
      expect(await rows.find(filter)).toEqual([]);
      expect(await rows.findOne(filter)).toBeNull();
      expect(await rows.exists(filter)).toBe(false);
      expect(await rows.count(filter)).toBe(0);
      expect(await rows.countBy(filter, ['kind'])).toEqual([]);
      expect(await rows.update(filter, { $set: { text: 'x' } })).toBe(false);
      expect(await rows.updateMany(filter, { $set: { text: 'x' } })).toBe(0);
      expect(await rows.change(filter, { $set: { text: 'x' } })).toBeNull();
      await rows.updateEach([{ filter, change: { $set: { text: 'x' } } }]);
      await rows.upsertEach([{ filter, change: { $set: { text: 'x' } } }]).catch(() => undefined);
      expect(await rows.delete(filter)).toBe(false);
      expect(await rows.deleteMany(filter)).toBe(0);
    }
    expect(await rows.findById('theirs')).toBeNull();
    expect(await notes.within(job).findById('theirs')).toMatchObject({ text: 'text of theirs' });
  });

  test('are counted by what they have in common', async () => {
    const rows = notes.within(job.in(mine));
    await rows.insertMany([aNote('a', { slug: 'one' }), aNote('b', { slug: 'two' })]);
    const counted = await rows.countBy({ kind: 'short' }, ['kind', 'slug']);
    expect(counted.toSorted((a, b) => `${a.of.slug}`.localeCompare(`${b.of.slug}`))).toEqual(
      [null, 'one', 'two'].map((slug) => ({ of: { kind: 'short', slug }, count: 1 })),
    );
  });

  test('what a transaction that fails has done is undone, and it reads what it has done', async () => {
    const failing = mongo.transaction(async (session) => {
      const rows = notes.within(job.in(mine), { session } as never);
      await rows.insert(aNote('new'));
      await rows.update({ _id: 'mine' }, { $set: { text: 'changed' } });
      expect([await rows.count({}), (await rows.findById('mine'))?.text]).toEqual([2, 'changed']);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    const rows = notes.within(job.in(mine));
    expect([await rows.count({}), (await rows.findById('mine'))?.text]).toEqual([1, 'text of mine']);
  });

  test("another tenant's row is not inserted, and no row is given away", async () => {
    const rows = notes.within(job.in(mine));
    const foreign = aNote('new', { orgId: theirs });
    await expect(rows.insert(foreign)).rejects.toThrow('belongs to another tenant');
    await expect(rows.insertMany([aNote('own'), foreign])).rejects.toThrow('belongs to another tenant');
    await expect(rows.insertOnce(foreign)).rejects.toThrow('belongs to another tenant');
    await expect(rows.update({ _id: 'mine' }, { $set: { orgId: theirs } })).rejects.toThrow('given to another tenant');
    await expect(rows.upsert({ _id: 'n' }, { $setOnInsert: { orgId: theirs } })).rejects.toThrow('another tenant');
    expect(await rows.count({})).toBe(1);
  });

  test('a row whose id is the tenant is reached by no other id', async () => {
    const offices = mongo.rows(officeRows);
    await offices.within(job.in(mine)).upsert({}, { $set: { size: 3 } });
    expect(await offices.within(job.in(mine)).findById(mine)).toEqual({ _id: mine, size: 3 });
    expect(await offices.within(job.in(theirs)).findById(mine)).toBeNull();
    expect(await offices.within(job.in(mine)).findById(theirs)).toBeNull();
  });

  test.each<[string, unknown]>([
    ['an object that looks like one', { orgId: mine }],
    ['a copy of one', { ...job.in(mine) }],
    ['a heir of one', Object.create(job.in(mine))],
    ['one from JSON', JSON.parse(JSON.stringify(job))],
    ['a job that names itself', { platform: 'all' }],
  ])('%s is no scope', (_case, forged) => {
    expect(() => notes.within(forged as never)).toThrow('no tenant scope');
  });

  test('a scope for which the collection has no field is refused', () => {
    // @ts-expect-error -- offices belong to organisations, not to people
    expect(() => mongo.rows(officeRows).within(job.of(me))).toThrow('No field of offices');
    // @ts-expect-error -- settings belong to nobody
    expect(() => mongo.rows(settingRows).within(job.in(mine))).toThrow('No field of settings');
  });
});

describe('a collection', () => {
  test.each<[string, object]>([
    ['a wrong type', { text: 1 }],
    ['a missing field', { at: undefined }],
    ['a value that is none of those', { kind: 'medium' }],
    ['an id of another kind', { authorId: mine }],
    ['an unknown field', { colour: 'red' }],
  ])('refuses a row with %s', async (_case, fault) => {
    const row = { ...aNote('new'), ...fault } as never;
    await expect(notes.within(job).insert(row)).rejects.toThrow();
    expect(await notes.within(job).findById('new')).toBeNull();
  });

  test('has its indexes: what is unique is refused by the store', async () => {
    const rows = notes.within(job.in(mine));
    await rows.insert(aNote('one', { slug: 'same' }));
    const refused = await rows.insert(aNote('two', { slug: 'same' })).catch((error: unknown) => error);
    expect([isDuplicateKey(refused), isDuplicateKey(refused, 'slug'), isDuplicateKey(refused, '_id')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  const onEmbedded = process.env['MONGO_URL'] === undefined ? test : test.skip;
  onEmbedded('in the tests a query that no index narrows fails', async () => {
    const rows = notes.within(job);
    const failing = 'a query on .*notes by text uses no index';
    await expect(rows.find({ text: 'x' })).rejects.toThrow(new RegExp(failing));
    await expect(rows.count({ text: 'x' })).rejects.toThrow(new RegExp(failing));
    await expect(rows.update({ text: 'x' }, { $set: { kind: 'long' } })).rejects.toThrow(new RegExp(failing));
    await expect(rows.change({ text: 'x' }, { $set: { kind: 'long' } })).rejects.toThrow(new RegExp(failing));
    await expect(rows.deleteMany({ text: 'x' })).rejects.toThrow(new RegExp(failing));
    // Sorting by an index that the conditions do not use reads all of it, too.
    await expect(rows.find({ text: 'x' }, { sort: { _id: 1 } })).rejects.toThrow(new RegExp(failing));
  });
});

describe('an insert that may be repeated', () => {
  const inTransaction = <Result>(act: (tx: Parameters<typeof notes.within>[1]) => Promise<Result>) =>
    mongo.transaction((session) => act({ session } as never));

  test('returns what is there when the id repeats within the tenant', async () => {
    const rows = notes.within(job.in(mine));
    expect(await rows.insertOnce(aNote('once'))).toMatchObject({ isNew: true });
    const again = await rows.insertOnce({ ...aNote('once'), text: 'another' });
    expect(again).toMatchObject({ isNew: false, row: { text: 'text of once' } });
  });

  test("with another tenant's id is a conflict", async () => {
    const repeated = aNote('theirs');
    await expect(notes.within(job.in(mine)).insertOnce(repeated)).rejects.toMatchObject({ code: 'platform.conflict' });
    await expect(inTransaction((tx) => notes.within(job.in(mine), tx).insertOnce(repeated))).rejects.toMatchObject({
      code: 'platform.conflict',
    });
  });

  test('at the same time as its repetition is made once', async () => {
    const made = await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        inTransaction((tx) => notes.within(job.in(mine), tx).insertOnce({ ...aNote('race'), text })),
      ),
    );
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(made.map(({ row }) => row.text)).size).toBe(1);
  });
});

describe('pages', () => {
  const byTime = { by: { at: -1 }, to: (row: { _id: string }) => row._id } as const;
  const byId = { by: { _id: 1 }, to: (row: { _id: string }) => row._id } as const;
  const list = (query: { limit: number; cursor?: string }) => notes.within(job.in(mine)).page(query, byTime);

  test.each([1, 2, 3, 7, 50])('of %s go through all rows once, also those of one moment', async (limit) => {
    const ats = [5, 4, 4, 4, 3, 2, 2, 1];
    await notes
      .within(job.in(mine))
      .insertMany(ats.map((at, index) => aNote(`n${index}`, { at: new Date(at * 1_000) })));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: string[]; nextCursor: string | null } = await list({ limit, ...(cursor && { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['n0', 'n3', 'n2', 'n1', 'n4', 'n6', 'n5', 'n7', 'mine']);
  });

  test.each<[string, () => Promise<string>]>([
    ['garbage', async () => 'garbage'],
    ['nothing', async () => ''],
    ['another JSON', async () => Buffer.from('{"at":1}').toString('base64url')],
    ['one of another list', async () => (await notes.within(job).page({ limit: 1 }, byId)).nextCursor!],
    [
      'one with other values',
      async () => Buffer.from(JSON.stringify(['notes at-1 _id-1', 'x', 1])).toString('base64url'),
    ],
  ])('refuse a cursor that is %s', async (_case, make) => {
    await expect(list({ limit: 1, cursor: await make() })).rejects.toMatchObject({
      code: 'platform.invalid-request',
      extras: { errors: [{ path: 'query.cursor' }] },
    });
  });
});
