import { expect, test } from '@jest/globals';
import {
  addressesChanged,
  documentsManaged,
  listAudit,
  type AuditEntry,
  type PersonPrincipal,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { DataOf, OrgId } from '@parley/protocol';
import { asked, founded, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { auditWords } from './audit-words.ts';
import { auditRows } from './audit.collection.ts';

const setup = await orgSetup();
const { appender, audit, mongo, work } = setup;
type Managed = DataOf<typeof documentsManaged>;

const list = async (reader: PersonPrincipal, query: object): Promise<AuditEntry[]> =>
  (await audit.list(asked(reader, { query: { limit: 50, ...query } }))).items;
const actsOf = (entries: readonly AuditEntry[]) => entries.map(({ act }) => act);
const append = (event: object) => work.run(job('tests'), (tx) => appender.append([event as never], tx));
const connectionId = newId('connection');
let sequence = 0;

/** Somebody does something with documents of the connection “Handbook” at that time. */
function manage(
  { orgId, by }: { orgId: OrgId; by: PersonPrincipal },
  time: string,
  parts: Partial<Managed> = {},
): Promise<void> {
  sequence += 1;
  const data = { orgId, connectionId, by: by.userId, change: 'uploaded', name: 'Handbook', count: 1, ...parts };
  const at = { type: documentsManaged.type, time: `2031-03-${time}Z`, tenantid: orgId, sequence };
  return append({ id: newId('event'), actor: null, onbehalfof: null, ...at, data });
}

async function aLog() {
  const { orgId, owner } = await founded(setup);
  const other = await joined(setup, orgId, 'admin', { name: 'Noor Halvani' });
  await manage({ orgId, by: owner }, '01T10:00:00.000');
  await manage({ orgId, by: owner }, '02T10:00:00.000', { change: 'deleted' });
  await manage({ orgId, by: other }, '02T11:00:00.000');
  await manage({ orgId, by: other }, '03T10:00:00.000', {
    change: 'deleted',
    connectionId: newId('connection'),
    name: 'Wiki',
  });
  return { orgId, owner, other };
}

test('person, act, thing, words and time narrow the list together', async () => {
  const { owner, other } = await aLog();
  const [mine, theirs] = [{ actor: owner.userId }, { actor: other.userId }];
  const [uploads, deletions] = [{ act: 'documents.uploaded' }, { act: 'documents.deleted' }];
  const span = { from: '2031-03-02T00:00:00.000Z', until: '2031-03-03T00:00:00.000Z' };
  const countOf = async (query: object) => (await list(owner, query)).length;
  expect(await countOf({ ...mine, ...uploads })).toBe(1);
  expect(await countOf({ ...theirs, target: connectionId })).toBe(1);
  expect(await countOf({ ...uploads, target: connectionId })).toBe(2);
  expect(actsOf(await list(owner, { ...mine, ...span }))).toEqual(['documents.deleted']);
  expect(actsOf(await list(owner, { ...uploads, ...span }))).toEqual(['documents.uploaded']);
  expect(actsOf(await list(owner, { ...theirs, ...deletions, from: span.until }))).toEqual(['documents.deleted']);
  expect(await countOf({ ...theirs, ...deletions, until: span.until })).toBe(0);
  expect(await countOf({ text: 'handb' })).toBe(3);
  expect(await countOf({ text: 'noor handbook' })).toBe(1);
  expect(await countOf({ text: 'handbook', ...theirs })).toBe(1);
  expect(await countOf({ text: 'handbook', ...uploads })).toBe(2);
  expect(await countOf({ text: 'handbook', ...span })).toBe(2);
  expect(await countOf({ text: '…' })).toBe(0);
});

test('a span of time begins with its first moment and ends before its last one', async () => {
  const { orgId, owner } = await founded(setup);
  for (const time of ['09:59:59.999', '10:00:00.000', '10:59:59.999', '11:00:00.000'])
    await manage({ orgId, by: owner }, `05T${time}`, { connectionId: newId('connection'), name: time });
  const span = { from: '2031-03-05T10:00:00.000Z', until: '2031-03-05T11:00:00.000Z' };
  const entries = await list(owner, { ...span, act: 'documents.uploaded' });
  expect(entries.map(({ target }) => target.name)).toEqual(['10:59:59.999', '10:00:00.000']);
});

test('pages of a filtered list hold each entry once', async () => {
  const { owner, orgId } = await aLog();
  const ids = async (query: object) => {
    const { items, nextCursor } = await audit.list(asked(owner, { query: { limit: 1, ...query } }));
    return { ids: items.map(({ id }) => id), cursor: nextCursor ?? undefined };
  };
  const query = { text: 'handbook', from: '2031-03-01T00:00:00.000Z', until: '2031-03-03T00:00:00.000Z' };
  const all = (await list(owner, query)).map(({ id }) => id);
  const seen: string[] = [];
  for (let page = await ids(query); ; page = await ids({ ...query, cursor: page.cursor })) {
    seen.push(...page.ids);
    if (page.cursor === undefined || seen.length > 9) break;
  }
  expect([seen, orgId]).toEqual([all, orgId]);
  expect(all).toHaveLength(3);
});

test('each pair of filters has an index that begins with both', () => {
  const indexes = auditRows.schema.indexes().map(([fields]) => Object.keys(fields).join(' '));
  const filters = Object.keys(listAudit.query.shape).filter(
    (name) => !['limit', 'cursor', 'from', 'until'].includes(name),
  );
  expect(filters.toSorted()).toEqual(['act', 'actor', 'target', 'text']);
  const pairs = ['actorId act', 'actorId target', 'act target', 'actorId words', 'act words'];
  for (const fields of ['actorId', 'act', 'target', 'words', ...pairs])
    expect(indexes).toContain(`orgId ${fields} _id`);
});

test('documents that a person uploads within ten minutes to a connection are one entry, which counts them', async () => {
  const { orgId, owner } = await founded(setup);
  const other = await joined(setup, orgId, 'admin');
  const mine = { orgId, by: owner };
  await manage(mine, '07T10:00:00.000');
  await manage(mine, '07T10:05:00.000', { count: 3 });
  await manage({ orgId, by: other }, '07T10:06:00.000');
  await manage(mine, '07T10:07:00.000', { change: 'deleted' });
  await manage(mine, '07T10:08:00.000', { connectionId: newId('connection'), name: 'Wiki' });
  await manage(mine, '07T10:10:00.000');
  await manage(mine, '07T10:10:00.001');
  const entries = await list(owner, { from: '2031-03-07T00:00:00.000Z' });
  const seen = entries.map(({ at, act, count, target }) => [at.slice(11, 16), act.slice(10), target.name, count]);
  expect(seen).toEqual([
    ['10:10', 'uploaded', 'Handbook', 1],
    ['10:08', 'uploaded', 'Wiki', 1],
    ['10:07', 'deleted', 'Handbook', 1],
    ['10:06', 'uploaded', 'Handbook', 1],
    ['10:00', 'uploaded', 'Handbook', 5],
  ]);
});

test('an address that is allowed for the installation is an entry of each organisation of its admin', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  await append({
    id: newId('event'),
    type: addressesChanged.type,
    time: '2031-03-08T10:00:00.000Z',
    tenantid: null,
    sequence: 1,
    data: { by: one.owner.userId, address: '10.0.0.5:11434', change: 'allowed' },
  });
  expect(await list(one.owner, { act: 'address.allowed' })).toMatchObject([
    { actor: { isPlatformAdmin: true }, target: { of: 'address', name: '10.0.0.5:11434' } },
  ]);
  expect(await list(other.owner, { act: 'address.allowed' })).toEqual([]);
});

test('entries of earlier versions get the words by which they are found', async () => {
  const { orgId, owner } = await aLog();
  const rows = mongo.rows(auditRows).within(tests.in(orgId));
  await rows.updateMany({}, { $set: { words: [] } });
  expect(await list(owner, { text: 'handbook' })).toEqual([]);
  for (let cursor = await auditWords.batch(mongo, null); cursor !== null;)
    cursor = await auditWords.batch(mongo, cursor);
  expect(await list(owner, { text: 'handbook' })).toHaveLength(3);
});
