import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findMembers, presenceBell } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { BodyOf, OrgId, UserId } from '@parley/protocol';
import { eventually, silentLogger, testStore } from '@parley/testing';
import { RunningAnswers } from '../running-answers/index.ts';
import { ActiveUsersService } from './active-users.service.ts';
import { PresenceService } from './presence.service.ts';

const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
const doorbell = new MemoryDoorbell({ logger: silentLogger() });
const presence = new PresenceService(mongo, clock, { doorbell } as never);
const running = new RunningAnswers(mongo);
beforeAll(ready);

/** Org, with these members by name. */
let members: UserId[];
const asked: BodyOf<typeof findMembers>[] = [];
const peers = {
  call: async (_route: unknown, { body }: { body: BodyOf<typeof findMembers> }) => {
    asked.push(body);
    const { among, except = [], limit, cursor } = body;
    const fitting = members.filter((id) => !except.includes(id) && (among ?? members).includes(id));
    const at = cursor ? Number(cursor) : 0;
    const items = fitting.slice(at, at + limit).map((userId) => ({ userId, source: 'link', joinedAt: '' }));
    return { items, nextCursor: at + limit < fitting.length ? String(at + limit) : null };
  },
};
const users = new ActiveUsersService(presence, running, { peers } as never);

let orgId: OrgId;
beforeEach(() => {
  orgId = newId('organisation');
  members = Array.from({ length: 6 }, () => newId('user'));
});

const session = (key: string) => ({ key, browser: 'Firefox 146', system: 'Linux' });
const put = (
  bffId: string,
  people: [UserId, ...string[]][],
  { acted = [] as UserId[], isChanged = true, sockets = 1 } = {},
) =>
  presence.put({
    scope: tests,
    params: { bffId },
    body: {
      organisations: [
        {
          orgId,
          isChanged,
          sockets,
          people: people.map(([userId, ...keys]) => ({ userId, sessions: keys.map(session) })),
        },
      ],
      acted: acted.map((userId) => ({ orgId, userId, at: clock.now().toISOString() })),
    },
  } as never);
const here = async () => {
  const { online, idle } = await presence.here(tests.in(orgId));
  return { online, idle };
};
const list = (query: object = {}) => users.list({ scope: tests.in(orgId), query: { limit: 50, ...query } } as never);

/** Bells ring in order: whatever was to ring before has rung. */
const nextRing = () =>
  new Promise<void>((resolve) => {
    const stop = doorbell.on('next', () => (stop(), resolve()));
    doorbell.ring('next');
  });

const anAnswerOf = (userId: UserId) => ({
  _id: newId('generation'),
  orgId,
  userId,
  model: 'builtin',
  queuedAt: clock.now(),
});

describe('who is here', () => {
  test('is whoever a BFF told of in the last 15 s: one that died takes its people along, and nobody else', async () => {
    const [kept, lost] = members as [UserId, UserId];
    await put('bff-1', [[kept, 'a']], { acted: [kept, lost] });
    await put('bff-2', [[lost, 'b']]);
    clock.advance(10_000);
    await put('bff-1', [[kept, 'a']]);
    expect((await here()).online.toSorted()).toEqual([kept, lost].toSorted());
    clock.advance(4_999);
    expect((await here()).online).toHaveLength(2);
    clock.advance(2);
    expect((await here()).online).toEqual([kept]);
  });

  test('is online until nothing was done for five minutes, and idle from then on', async () => {
    const [somebody] = members as [UserId];
    await put('bff-1', [[somebody, 'a']], { acted: [somebody] });
    clock.advance(5 * 60_000 - 1);
    await put('bff-1', [[somebody, 'a']]);
    expect(await here()).toEqual({ online: [somebody], idle: [] });
    clock.advance(1);
    expect(await here()).toEqual({ online: [], idle: [somebody] });
    await put('bff-1', [[somebody, 'a']], { acted: [somebody] });
    expect(await here()).toEqual({ online: [somebody], idle: [] });
  });

  test('is one person with each session once, at however many BFFs; who left is gone at once', async () => {
    const [somebody] = members as [UserId];
    await put('bff-1', [[somebody, 'a', 'b']]);
    await put('bff-2', [[somebody, 'b', 'c']]);
    const { sessionsOf } = await presence.here(tests.in(orgId));
    expect(sessionsOf(somebody).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await put('bff-1', []);
    await put('bff-2', []);
    expect(await here()).toEqual({ online: [], idle: [] });
  });

  test('did something when a BFF last saw it: an older action that is told later changes nothing', async () => {
    const [somebody] = members as [UserId];
    const actedAt = async () => (await presence.actedAt(tests.in(orgId), [somebody])).get(somebody);
    const tell = (at: Date) => {
      const body = { organisations: [], acted: [{ orgId, userId: somebody, at: at.toISOString() }] };
      return presence.put({ scope: tests, params: { bffId: 'bff-1' }, body } as never);
    };
    const [older, newer] = [new Date(clock.now().getTime() - 60_000), clock.now()];
    await tell(newer);
    await tell(older);
    expect(await actedAt()).toEqual(newer);
  });

  test('has as many tabs as the BFFs tell; those of one that died are gone after 15 s', async () => {
    const [kept, lost] = members as [UserId, UserId];
    const sockets = () => presence.sockets(tests.in(orgId));
    await put('bff-1', [[kept, 'a']], { sockets: 3 });
    clock.advance(10_000);
    await put('bff-2', [[lost, 'b']], { sockets: 2 });
    expect(await sockets()).toBe(5);
    clock.advance(5_000);
    expect(await sockets()).toBe(2);
    expect(await presence.sockets(tests.in(newId('organisation')))).toBe(0);
  });

  test('is the organisation’s own', async () => {
    const [somebody] = members as [UserId];
    await put('bff-1', [[somebody, 'a']]);
    expect((await presence.here(tests.in(newId('organisation')))).idle).toEqual([]);
  });

  test('rings for those who watch when somebody came or went, and not when it is only told again', async () => {
    let rings = 0;
    const stop = doorbell.on(presenceBell(orgId), () => void (rings += 1));
    await put('bff-1', [[members[0]!, 'a']]);
    await eventually(async () => expect(rings).toBe(1), 'the bell should ring');
    await put('bff-1', [[members[0]!, 'a']], { isChanged: false });
    await nextRing();
    expect(rings).toBe(1);
    await put('bff-1', []);
    await eventually(async () => expect(rings).toBe(2), 'the bell should ring once more');
    stop();
  });
});

describe('the list', () => {
  test('is who is online, who is idle and who is away, page by page, each person once', async () => {
    const [a, b, c, d, e, f] = members as [UserId, UserId, UserId, UserId, UserId, UserId];
    await put(
      'bff-1',
      [
        [b, '1'],
        [d, '2', '3'],
        [e, '4'],
      ],
      { acted: [b, d] },
    );
    await work.run(job('tests'), (tx) => running.begin(tx, [anAnswerOf(d)]));
    const pages = [];
    let cursor: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, ...(cursor && { cursor }) });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor);
    const all = pages.flatMap(({ items }) => items);
    expect(all.map(({ userId }) => userId)).toEqual([b, d, e, a, c, f]);
    expect(all.map((one) => one.presence)).toEqual(['online', 'online', 'idle', 'away', 'away', 'away']);
    expect(all[1]).toMatchObject({ answers: 1, actedAt: clock.now().toISOString() });
    expect(all[1]?.devices).toEqual([
      { browser: 'Firefox 146', system: 'Linux' },
      { browser: 'Firefox 146', system: 'Linux' },
    ]);
    expect(all[3]).toMatchObject({ actedAt: null, devices: [], answers: 0 });
    expect(pages[0]?.counts).toEqual({ online: 2, idle: 1, answers: 1, askers: 1 });
  });

  test('of one state has those alone, and asks org with the other filters', async () => {
    const [a, b] = members as [UserId, UserId];
    await put(
      'bff-1',
      [
        [a, '1'],
        [b, '2'],
      ],
      { acted: [a] },
    );
    const of = async (state: string) =>
      (await list({ presence: state, role: 'member' })).items.map((one) => one.userId);
    expect([await of('online'), await of('idle'), await of('away')]).toEqual([[a], [b], members.slice(2)]);
    expect(asked.at(-1)).toMatchObject({ role: 'member', except: [a, b] });
  });

  test('refuses a cursor of another one', async () => {
    for (const query of [{ cursor: 'nonsense' }, { cursor: 'away.', presence: 'online' }])
      await expect(list(query)).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });
});

test('an answer runs from its question to its end, told however often', async () => {
  const answer = anAnswerOf(members[0]!);
  const scope = tests.in(orgId);
  for (const _ of [1, 2]) await work.run(job('tests'), (tx) => running.begin(tx, [answer]));
  expect([...(await running.count(scope))]).toEqual([[members[0], 1]]);
  expect((await running.count(tests.in(newId('organisation')))).size).toBe(0);
  for (const _ of [1, 2]) await work.run(job('tests'), (tx) => running.end(tx, [answer._id]));
  expect((await running.count(scope)).size).toBe(0);
});
