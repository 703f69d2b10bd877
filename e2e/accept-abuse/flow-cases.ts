// These attackers take all of what is shared: syncs, readers of documents and events, webhooks, emails.
import { followEvents } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { endlessPdf } from '@parley/testing/files';
import { setTimeout as wait } from 'node:timers/promises';
import { answerCases } from './answer-cases.ts';
import { aKey, many, soonMs, tally, type Case, type World } from './world.ts';
import type { WatchedClient } from './watched-client.ts';

const organisationsEach = 5;
const everybody = { kind: 'everybody' as const };

/** A time that is missed here is red: others have kept the organisation from it. */
async function secondsUntil(what: string, check: () => Promise<boolean>): Promise<string> {
  const begunAt = performance.now();
  await eventually(check, what, soonMs);
  return `${((performance.now() - begunAt) / 1_000).toFixed(1)} s`;
}
const web = (address: string, most: { depth: number; pages: number }) =>
  ({ kind: 'web', start: 'page', address, below: '/', ...most }) as const;
async function connect(client: WatchedClient, source: ReturnType<typeof web>) {
  const body = { id: newId('connection'), name: 'Site', source, audience: everybody, schedule: 'manual' as const };
  return client.call('POST /api/chat/connections', { body });
}
const slowSites: Case = {
  name: 'syncs: three slow sites of one person',
  async run(world) {
    const person = await world.newPerson();
    for (let made = 1; made <= 3; made += 1) {
      await person.createOrganisation(`Slow ${made}`);
      await connect(person, web(`${world.servers.urlOf('slowSite')}/`, { depth: 10, pages: 5_000 }));
    }
    await wait(3_000);
    const { id } = await connect(world.other, web(`${world.servers.urlOf('quickSite')}/`, { depth: 0, pages: 1 }));
    const took = await secondsUntil('the other organisation is synced', async () => {
      const { items } = await world.other.call('GET /api/chat/connections');
      return items.some((each) => each.id === id && each.lastSync !== null);
    });
    return `another site was synced after ${took}`;
  },
};

const slowDocuments: Case = {
  name: 'documents: endless PDFs and large uploads of one person',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Reams' });
    const large = 'The heron waits. '.repeat(1_000_000);
    for (let sent = 1; sent <= 4; sent += 1) await person.upload(`endless${sent}.pdf`, new Uint8Array(endlessPdf()));
    for (let sent = 1; sent <= 3; sent += 1) await person.upload(`large${sent}.txt`, large);
    const { id } = await world.other.upload('small.md', 'Herons sleep standing.');
    const took = await secondsUntil('the small document is searchable', async () => {
      const { items } = await world.other.call('GET /api/chat/documents');
      return items.some((each) => each.id === id && each.status === 'searchable');
    });
    return `another document was searchable after ${took}`;
  },
};

function readEvents(world: World, secret: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}` };
  return world.visitor().raw('GET', '/v1/events', { headers, signal });
}
const eventReaders: Case = {
  name: 'event readers: 500 of one person with five organisations',
  async run(world) {
    const leave = new AbortController();
    try {
      const person = await world.newPerson();
      const secrets: string[] = [];
      for (let made = 1; made <= organisationsEach; made += 1) {
        await person.createOrganisation(`Reading ${made}`);
        for (let key = 0; key < 5; key += 1) secrets.push(await aKey(person, ['events:read']));
      }
      // Keeps the responses: one that is garbage-collected ends its stream.
      const readers: Response[] = [];
      await many(500, 50, async (at) => {
        readers.push(await readEvents(world, secrets[at % secrets.length]!, leave.signal));
      });
      const statuses = readers.map(({ status }) => status);
      const open = statuses.filter((status) => status === 200).length;
      if (open > followEvents.atOnce.person) throw new Error(`One person has ${open} readers.`);
      const response = await readEvents(world, await aKey(world.other, ['events:read']), leave.signal);
      if (response.status !== 200) throw new Error(`The other organisation's reader got ${response.status}.`);
      return `${tally(statuses, [200, 429])}; another organisation's reader is let in`;
    } finally {
      leave.abort();
    }
  },
};

const makeGroup = (client: WatchedClient, name: string) =>
  client.call('POST /api/org/groups', { body: { id: newId('group'), name } });
const addWebhook = (client: WatchedClient, url: string) =>
  client.call('POST /api/monitoring/webhooks', { body: { id: newId('webhook'), url, types: ['group.*'] } });
const hangingWebhooks: Case = {
  name: 'webhooks: 40 receivers that never answer',
  async run(world) {
    const person = await world.newPerson();
    for (let made = 1; made <= 4; made += 1) {
      await person.createOrganisation(`Hooks ${made}`);
      for (let hook = 0; hook < 10; hook += 1)
        await addWebhook(person, `${world.servers.urlOf('hanging')}/hook?at=${made}-${hook}`);
      for (let group = 1; group <= 3; group += 1) await makeGroup(person, `Group ${group}`);
    }
    await wait(2_000);
    await addWebhook(world.other, `${world.servers.urlOf('receiver')}/hook`);
    await makeGroup(world.other, 'Night shift');
    const took = await secondsUntil('the other webhook is sent', async () => world.servers.received > 0);
    return `another webhook was sent after ${took}`;
  },
};

const invitations: Case = {
  name: 'emails: 5,000 invitations of a fresh account',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Strangers' });
    const statuses: number[] = [];
    const invite = { role: 'guest' as const, groupIds: [], message: null, locale: 'en' as const };
    for (let call = 0; call < 10; call += 1) {
      const people = Array.from({ length: 500 }, (_unused, at) => ({
        id: newId('invitation'),
        email: `stranger${call}-${at}@example.net`,
      }));
      const body = JSON.stringify({ ...invite, days: 7, people });
      statuses.push(await person.statusOf('POST', '/api/org/invitations', { body, contentType: 'application/json' }));
    }
    const id = newId('invitation');
    await world.other.call('POST /api/org/invitations', {
      body: { ...invite, people: [{ id, email: 'colleague@example.org' }] },
    });
    const took = await secondsUntil('the other invitation is sent', async () => {
      const { items } = await world.other.call('GET /api/org/invitations');
      return items.some((each) => each.id === id && each.mail !== 'waiting');
    });
    return `${tally(statuses, [201, 409, 413, 429])}; another invitation was sent after ${took}`;
  },
};

/** They wait for the most part: side by side, from the beginning of the attack. */
export const flowCases: readonly Case[] = [
  ...answerCases,
  slowSites,
  slowDocuments,
  eventReaders,
  hangingWebhooks,
  invitations,
];
