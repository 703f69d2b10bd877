import { beforeAll, expect, test } from '@jest/globals';
import { orgId } from '@parley/protocol';
import { collection, jobScope } from './index.ts';
import { pageOfRows } from './page.ts';
import { z } from 'zod';
import { anOrgId, testStore } from '@parley/testing';

const definition = (name: string) =>
  collection(
    name,
    { _id: z.string(), orgId, at: z.date() },
    { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, at: -1, _id: -1 }] },
  );
const [noteRows, taskRows] = [definition('notes'), definition('tasks')];
const tiedRows = collection(
  'tied_notes',
  { _id: z.string(), orgId, at: z.date() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, at: -1 }] },
);
const { mongo, ready } = await testStore();
const [notes, tasks, tied] = [mongo.rows(noteRows), mongo.rows(taskRows), mongo.rows(tiedRows)];
const job = jobScope('tests');
beforeAll(ready);

const newest = { by: { at: -1 }, to: ({ _id }: { _id: string }) => _id } as const;
async function someNotes(count: number, at = (index: number) => index) {
  const own = anOrgId();
  const rows = notes.within(job.in(own));
  await rows.insertMany(
    Array.from({ length: count }, (_, index) => ({ _id: `${own}-${index}`, orgId: own, at: new Date(at(index)) })),
  );
  const idsOf = (...indexes: readonly number[]) => indexes.map((index) => `${own}-${index}`);
  return { rows, idsOf };
}

test('pages hold all rows once and in order, and equal rows in the order of their ids', async () => {
  const { rows, idsOf } = await someNotes(7, (index) => Math.floor(index / 3));
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await rows.page({ limit: 2, cursor }, newest);
    seen.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    pages += 1;
  } while (cursor !== undefined && pages < 10);
  expect(seen).toEqual(idsOf(6, 5, 4, 3, 2, 1, 0));
  expect(pages).toBe(4);
});

test.each([1, 2, 3, 5])(
  'equal rows come once and in order even by an index without the id, with %i rows a page',
  async (limit) => {
    const own = anOrgId();
    const rows = tied.within(job.in(own));
    // The store returns equal rows in the order of their insertion, which isn't the order of their ids.
    const inserted = [3, 0, 5, 1, 4, 2, 7, 6];
    const at = (index: number) => new Date(Math.floor(index / 3));
    await rows.insertMany(inserted.map((index) => ({ _id: `${own}-${index}`, orgId: own, at: at(index) })));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && seen.length <= 8;) {
      const page = await rows.page({ limit, cursor }, { ...newest, hasFewTies: true });
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1, 0].map((index) => `${own}-${index}`));
  },
);

test('reads at most one page of rows with equal sort values', async () => {
  const own = anOrgId();
  const rows = tied.within(job.in(own));
  const at = new Date(0);
  await rows.insertMany(
    Array.from({ length: 500 }, (_, index) => ({ _id: `${own}-${1_000 + index}`, orgId: own, at })),
  );
  const read: number[] = [];
  const counting: Pick<typeof rows, 'find'> = {
    find: (async (...given: Parameters<typeof rows.find>) => {
      const found = await rows.find(...given);
      read.push(found.length);
      return found;
    }) as never,
  };
  const options = { ...newest, hasFewTies: true };
  const list = { rows: counting as never, definition: tiedRows };
  const first = await pageOfRows(list, { limit: 10 }, options);
  const second = await pageOfRows(list, { limit: 10, cursor: first.nextCursor! }, options);
  expect([first.items.at(0), second.items.at(-1)]).toEqual([`${own}-1499`, `${own}-1480`]);
  expect(Math.max(...read)).toBe(11);
});

test('a list of a range of its sort field stops at the end of the range', async () => {
  const { rows, idsOf } = await someNotes(6, (index) => index * 10);
  // No row is at the range's lower end: SecantusDB leaves such a row out if an index is read backwards.
  const within = { ...newest, where: { at: { $gte: new Date(5), $lt: new Date(50) } } };
  const first = await rows.page({ limit: 2 }, within);
  const second = await rows.page({ limit: 3, cursor: first.nextCursor! }, within);
  expect([...first.items, ...second.items]).toEqual(idsOf(4, 3, 2, 1));
  expect(second.nextCursor).toBeNull();
});

test('the last page has no cursor of a next page', async () => {
  const { rows } = await someNotes(2);
  expect((await rows.page({ limit: 2 }, newest)).nextCursor).toBeNull();
});

test('rows inserted or deleted between two pages don’t shift the list', async () => {
  const { rows, idsOf } = await someNotes(4);
  const first = await rows.page({ limit: 2 }, newest);
  const [last] = await rows.find({}, { sort: { at: -1 }, limit: 1 });
  await rows.delete({ _id: first.items[1]! });
  await rows.insert({ ...last!, _id: `${last!._id}-newer`, at: new Date(99) });
  expect((await rows.page({ limit: 2, cursor: first.nextCursor! }, newest)).items).toEqual(idsOf(1, 0));
});

test('refuses the cursor of another list', async () => {
  const { rows } = await someNotes(3);
  const { nextCursor } = await rows.page({ limit: 1 }, newest);
  const refused = { code: 'platform.invalid-request', extras: { errors: [{ path: 'query.cursor' }] } };
  const ofTasks = tasks.within(job.in(anOrgId())).page({ limit: 1, cursor: nextCursor! }, newest);
  await expect(ofTasks).rejects.toMatchObject(refused);
  const upwards = rows.page({ limit: 1, cursor: nextCursor! }, { ...newest, by: { at: 1 } });
  await expect(upwards).rejects.toMatchObject(refused);
  const [name] = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as string[];
  for (const forged of [[name, { $gt: 0 }, 'x'], [name], [name, { at: 1 }, { $ne: 1 }], 'nothing'])
    await expect(
      rows.page({ limit: 1, cursor: Buffer.from(JSON.stringify(forged)).toString('base64url') }, newest),
    ).rejects.toMatchObject(refused);
});

test('a page reads the named fields only, and gives each row the cursor of the page after the row', async () => {
  const { rows, idsOf } = await someNotes(5);
  const read: object[] = [];
  const page = await rows.page(
    { limit: 4 },
    { by: { at: -1 }, fields: ['at'], to: (row, cursor) => (read.push(row), { id: row._id, cursor }) },
  );
  expect(read.map((row) => Object.keys(row).toSorted())).toEqual(Array.from({ length: 4 }, () => ['_id', 'at']));
  const behind = await rows.page({ limit: 4, cursor: page.items[1]!.cursor() }, newest);
  expect(behind).toEqual({ items: idsOf(2, 1, 0), nextCursor: null });
});
