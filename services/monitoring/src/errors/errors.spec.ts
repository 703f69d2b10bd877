import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  errorTested,
  errorReport,
  mostErrorGroups,
  mostErrorSamples,
  takeErrorReports,
  type ErrorReport,
  type ErrorTestKind,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, silentLogger, testStore } from '@parley/testing';
import { CollectedErrorsService } from './collected-errors.service.ts';
import { CollectorService } from './collector.service.ts';
import { errorSettings } from './error.config.ts';
import { aReport, ownFrame } from './error-report.spec-setup.ts';
import { ErrorTestsService } from './error-tests.service.ts';
import { ErrorsRepository } from './errors.repository.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const repository = new ErrorsRepository(mongo);
const settings = errorSettings({ PARLEY_ERROR_TEST: false });
const collector = new CollectorService(repository, work, clock);
const errors = new CollectedErrorsService(repository, settings, clock);
const scope = jobScope('tests');
const admin = aPerson({ name: 'Ines Vardale', platformRole: 'admin' });
const monitoring = { kind: 'service', service: 'chat' } as const;
beforeAll(ready);
beforeEach(async () => {
  for (const name of ['error_groups', 'error_samples', 'error_drops', 'error_tests'])
    await mongo.connection.collection(name).deleteMany({});
});

const take = (reports: ErrorReport[], drops: object = {}) =>
  collector.take({ scope, principal: monitoring, body: takeErrorReports.body.parse({ reports, drops }) } as never);
const list = (query: object = {}) => errors.list({ scope, query: { limit: 50, ...query } } as never);
const read = (errorGroupId: string) => errors.read({ scope, params: { errorGroupId } } as never);
const setState = (errorGroupId: string, state: string) =>
  errors.change({ scope, principal: admin, params: { errorGroupId }, body: { state } } as never);
const ofType = (type: string, more: Partial<ErrorReport> = {}) =>
  aReport({ errors: [{ type, code: null, frames: [ownFrame] }], ...more });
/** Names that are as long as others, one for each number. */
const nameOf = (number: number) => `E${String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;

describe('what is collected', () => {
  test('is grouped, the latest first, with its last reports; one that is told again changes nothing', async () => {
    const twice = ofType('TypeError');
    await take([twice, ofType('RangeError'), ofType('TypeError')]);
    await take([twice]);
    const { items, open } = await list();
    expect(items.map(({ type, count }) => `${type} ${count}`).toSorted()).toEqual(['RangeError 1', 'TypeError 2']);
    expect(open).toEqual({ groups: 2, events: 3 });
    const { samples } = await read(items.find(({ type }) => type === 'TypeError')!.id);
    expect(samples).toHaveLength(2);
    expect(samples[0]).not.toHaveProperty('userId');
  });

  test('is bounded by groups and by reports of each; what is left out is counted', async () => {
    const rows = mongo.connection.collection('error_groups');
    await take([ofType('TypeError')]);
    const [known] = await rows.find().toArray();
    const filler = Array.from({ length: mostErrorGroups - 1 }, (_, number) => ({
      ...known!,
      _id: number.toString(16).padStart(24, '0') as never,
      type: nameOf(number),
    }));
    await rows.insertMany(filler);
    await take([ofType('RangeError'), ofType('SyntaxError')]);
    for (let each = 0; each < mostErrorSamples + 5; each += 1) await take([ofType('TypeError')]);
    expect(await rows.countDocuments()).toBe(mostErrorGroups);
    expect(await mongo.connection.collection('error_samples').countDocuments()).toBe(mostErrorSamples);
    expect((await list()).dropped).toMatchObject([{ reason: 'groups', count: 2 }]);
    expect((await read(known!['_id'] as never)).count).toBe(mostErrorSamples + 6);
  });

  test('adds up what others have dropped', async () => {
    await take([], { size: 2, depth: 1 });
    await take([], { size: 3 });
    const { dropped } = await list();
    expect(dropped.map(({ reason, count }) => `${reason} ${count}`).toSorted()).toEqual(['depth 1', 'size 5']);
  });

  test.each<[string, Partial<Record<keyof ErrorReport, unknown>>]>([
    ['a message', { message: 'my mother is ill' } as never],
    ['a sentence as a class', { errors: [{ type: 'my mother is ill', code: null, frames: [] }] }],
    ['an address as a code', { errors: [{ type: 'Error', code: 'ada@example.com', frames: [] }] }],
    [
      'a sentence as a function',
      { errors: [{ ...ofType('E').errors[0], frames: [{ ...ownFrame, function: 'a b' }] }] },
    ],
    ['a sentence as a file', { errors: [{ ...ofType('E').errors[0], frames: [{ ...ownFrame, file: 'a b' }] }] }],
    ['variables of a call', { errors: [{ ...ofType('E').errors[0], frames: [{ ...ownFrame, vars: {} }] }] }],
    ['an address as a route', { route: '/chat?q=my mother' }],
    ['a sentence as a digest', { digest: 'my mother ' }],
    ['too many calls', { errors: [{ type: 'E', code: null, frames: Array.from({ length: 31 }, () => ownFrame) }] }],
    ['too many causes', { errors: Array.from({ length: 6 }, () => ofType('E').errors[0]) }],
  ])('is refused with %s', (_what, more) => {
    expect(errorReport.safeParse(aReport()).success).toBe(true);
    expect(errorReport.safeParse({ ...aReport(), ...more }).success).toBe(false);
  });
});

describe('the list', () => {
  test('finds by service, by the start of a word, by trace id and by digest', async () => {
    const wanted = ofType('RangeError', { digest: '0123456789' });
    await take([wanted, ofType('TypeError', { deployable: 'org' })]);
    const typesOf = async (query: object) => (await list(query)).items.map(({ type }) => type);
    expect(await typesOf({ deployable: 'org' })).toEqual(['TypeError']);
    for (const text of ['rangeerr', 'Range', wanted.traceId, wanted.eventId, '0123456789'])
      expect([text, await typesOf({ text })]).toEqual([text, ['RangeError']]);
    expect(await typesOf({ text: 'peers' })).toHaveLength(2);
    expect(await typesOf({ text: 'nothing', deployable: 'org' })).toEqual([]);
    expect(await typesOf({ text: 'f'.repeat(32) })).toEqual([]);
  });

  test('leaves out what is resolved until it comes back, and tests until they are asked for', async () => {
    await take([ofType('TypeError'), ofType('ErrorTest', { errorTestId: newId('errorTest') })]);
    const [group] = (await list()).items;
    expect((await list()).items).toHaveLength(1);
    expect((await list({ tests: 'shown' })).items).toHaveLength(2);
    for (const _ of [1, 2]) expect(await setState(group!.id, 'resolved')).toMatchObject({ state: 'resolved' });
    expect((await list()).items).toEqual([]);
    expect((await list({ resolved: 'shown' })).items).toMatchObject([{ resolved: { by: 'Ines Vardale' } }]);
    await take([ofType('TypeError')]);
    expect((await list()).items).toMatchObject([{ state: 'back' }]);
    await setState(group!.id, 'resolved');
    expect(await setState(group!.id, 'open')).toMatchObject({ state: 'new', resolved: null });
  });

  test('comes page by page', async () => {
    for (let number = 0; number < 5; number += 1) await take([ofType(nameOf(number))]);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, cursor });
      found.push(...page.items.map(({ type }) => type));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(found.toSorted()).toEqual([0, 1, 2, 3, 4].map(nameOf));
  });

  test('of no such group is not found', async () => {
    await expect(read('0'.repeat(24))).rejects.toMatchObject({ code: 'platform.not-found' });
    await expect(setState('0'.repeat(24), 'resolved')).rejects.toMatchObject({ code: 'platform.not-found' });
  });
});

describe('an error test', () => {
  const asked: string[] = [];
  const platform = {
    logger: silentLogger(),
    peers: {
      call: async ({ route }: { route: string }) => {
        asked.push(route);
        throw new Error('as it was asked to');
      },
    },
  };
  const testsWith = (given = settings) =>
    new ErrorTestsService(repository, { work, clock, platform, settings: given } as never);
  const request = { header: () => `00-${'4bf92f3577b34da6a3ce929d0e0e4736'}-00f067aa0ba902b7-01` };
  const own = (principal = admin) => ({ scope: scope.of(principal.userId), principal, request });
  const create = (kind: ErrorTestKind, { id = newId('errorTest'), principal = admin, tests = testsWith() } = {}) =>
    tests.create({ ...own(principal), body: { id, kind } } as never);

  test('is kept with who asked, told as an event, and makes its service fail, once however often it is sent', async () => {
    asked.length = 0;
    const before = (await recorded()).length;
    const id = newId('errorTest');
    const made = await create('chat.request', { id });
    expect(await create('chat.request', { id })).toEqual(made);
    expect(made).toMatchObject({
      id,
      kind: 'chat.request',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      arrived: null,
    });
    expect(asked).toEqual(['POST /internal/chat/error-tests/:errorTestId']);
    const told = (await recorded()).slice(before);
    expect(told).toMatchObject([
      { type: errorTested.type, actor: `person:${admin.userId}`, data: { errorTestId: id, userId: admin.userId } },
    ]);
  });

  test('says when its report came, and with which ids', async () => {
    const { id } = await create('bff');
    const report = ofType('ErrorTest', { deployable: 'bff', errorTestId: id });
    await take([report]);
    const [listed] = (await testsWith().list(own() as never)).items;
    expect(listed).toMatchObject({
      id,
      traceId: report.traceId,
      arrived: { eventId: report.eventId, deployable: 'bff', receivedAt: clock.now().toISOString() },
    });
    expect(await read(listed!.arrived!.groupId)).toMatchObject({ isTest: true });
  });

  test('is for platform admins, or for everybody where the setting says so; and nobody sees those of others', async () => {
    const somebody = aPerson();
    await expect(create('bff', { principal: somebody })).rejects.toMatchObject({ code: 'platform.not-found' });
    await expect(testsWith().list(own(somebody) as never)).rejects.toMatchObject({ code: 'platform.not-found' });
    const open = testsWith(errorSettings({ PARLEY_ERROR_TEST: true, PARLEY_SENTRY_DSN: 'https://key@example.com/1' }));
    const { id } = await create('bff', { principal: somebody, tests: open });
    expect(await open.list(own(somebody) as never)).toMatchObject({ items: [{ id }], sink: 'dsn' });
    expect((await testsWith().list(own() as never)).items.map((one) => one.id)).not.toContain(id);
    const foreign = { ...own(), params: { errorTestId: id } };
    await expect(testsWith().read(foreign as never)).rejects.toMatchObject({ code: 'platform.not-found' });
  });
});
