import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { presenceBell, type PersonPrincipal, type putPresence } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import type { BodyOf, OrgId } from '@parley/protocol';
import { aPerson, silentLogger } from '@parley/testing';
import { EventEmitter } from 'node:events';
import { Presence } from './presence.ts';
import { relayPresence } from './presence-relay.ts';
import { rooms } from './sockets.ts';

type Told = BodyOf<typeof putPresence>;
const orgId: OrgId = newId('organisation');
const here = (): PersonPrincipal => aPerson({ organisation: { orgId, permissions: [], rightsVersion: 1 } });
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';

let told: Told[];
let isAway: boolean;
let presence: Presence;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  [told, isAway] = [[], false];
  const call = async (_route: unknown, { body }: { body: Told }) => {
    if (isAway) throw new Error('away');
    told.push(body);
  };
  presence = new Presence({ peers: { call }, logger: silentLogger() } as never);
});
afterEach(async () => {
  await presence.close();
  jest.useRealTimers();
});
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const peopleOf = ({ organisations }: Told) => organisations.flatMap(({ people }) => people.map(({ userId }) => userId));

test('a session counts once with however many tabs, by its browser, until the last one closes', async () => {
  const person = here();
  const leave = [presence.enter(person, firefox), presence.enter(person, firefox)];
  await pass(200);
  expect(told).toHaveLength(1);
  expect(told[0]?.organisations).toEqual([
    {
      orgId,
      isChanged: true,
      sockets: 2,
      people: [
        {
          userId: person.userId,
          sessions: [{ key: person.sessionKey.slice(0, 12), browser: 'Firefox 146', system: 'Linux' }],
        },
      ],
    },
  ]);
  leave[0]!();
  await pass(1_000);
  expect(told).toHaveLength(1);
  leave[1]!();
  await pass(1_000);
  expect(told.at(-1)?.organisations).toEqual([{ orgId, isChanged: true, sockets: 0, people: [] }]);
  await pass(20_000);
  expect(told).toHaveLength(2);
});

test('changes are told a second apart at least, and everything every five seconds', async () => {
  const people = [here(), here(), here()] as const;
  presence.enter(people[0], null);
  await pass(200);
  presence.enter(people[1], null);
  presence.enter(people[2], null);
  await pass(999);
  expect(told).toHaveLength(1);
  await pass(1);
  expect(peopleOf(told[1]!)).toHaveLength(3);
  await pass(4_000);
  expect(told[2]?.organisations[0]).toMatchObject({ isChanged: false });
  expect(peopleOf(told[2]!)).toHaveLength(3);
});

test('an action is told once a minute, and is news for those who watch after five', async () => {
  const { userId } = here();
  presence.act(orgId, userId);
  presence.act(orgId, userId);
  await pass(5_000);
  expect(told.flatMap(({ acted }) => acted)).toMatchObject([{ orgId, userId }]);
  await pass(55_000);
  presence.act(orgId, userId);
  await pass(5_000);
  expect(told.flatMap(({ acted }) => acted)).toHaveLength(2);
  expect(told.flatMap(({ organisations }) => organisations).filter(({ isChanged }) => isChanged)).toHaveLength(1);
  await pass(5 * 60_000);
  presence.act(orgId, userId);
  await pass(200);
  expect(told.at(-1)).toMatchObject({ organisations: [{ isChanged: true }], acted: [{ userId }] });
});

test('what monitoring did not hear is told again', async () => {
  isAway = true;
  presence.enter(here(), null);
  await pass(4_000);
  isAway = false;
  await pass(1_000);
  expect(told[0]).toMatchObject({ organisations: [{ orgId, isChanged: true, people: [{}] }], acted: [{ orgId }] });
});

test('tells people who may see who is active of each change while one of them has a tab open', async () => {
  const sent: unknown[] = [];
  const adapter = new EventEmitter();
  const io = {
    of: () => ({ adapter }),
    to: (room: string) => ({ emit: (...what: unknown[]) => sent.push([room, ...what]) }),
  };
  const doorbell = new MemoryDoorbell({ logger: silentLogger() });
  const stop = relayPresence({ doorbell }, { io, gate: { pass: (send: () => void) => send() } } as never);
  const room = rooms.permitted(orgId, 'member:read_pii');
  const ring = async () => {
    doorbell.ring(presenceBell(orgId));
    await pass(5);
  };
  await ring();
  adapter.emit('create-room', rooms.permitted(orgId, 'member:read'));
  await ring();
  expect(sent).toEqual([]);
  adapter.emit('create-room', room);
  await ring();
  expect(sent).toEqual([[room, 'resource.changed', { orgId, resources: ['active-users'] }]]);
  adapter.emit('delete-room', room);
  await ring();
  expect(sent).toHaveLength(1);
  stop();
});
