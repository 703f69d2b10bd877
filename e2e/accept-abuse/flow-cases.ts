// Who takes all of what is shared: answer slots, syncs, readers of documents and events, webhooks, emails.
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { endlessPdf } from '@parley/testing/files';
import { RefusedCall } from '@parley/testing/client';
import { setTimeout as wait } from 'node:timers/promises';
import { joinByLink } from '../accounts.ts';
import { TooLate } from '../accept-kill/product.ts';
import { many, tally, type Case, type World } from './world.ts';
import type { WatchedClient } from './watched-client.ts';

/** The other organisation waits at most so long for what others do not keep it from. It takes some seconds. */
const soonMs = 120_000;
const organisationsEach = 5;
const everybody = { kind: 'everybody' as const };

/** Words of the refusal; throws when there is none. */
async function refusal(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof RefusedCall) return `${error.problem.code}: ${error.problem.detail ?? error.problem.title}`;
    throw error;
  }
  throw new Error('It was not refused.');
}
async function secondsUntil(what: string, check: () => Promise<boolean>): Promise<string> {
  const begunAt = performance.now();
  await eventually(check, what, soonMs).catch((cause: unknown) => {
    throw new TooLate(cause instanceof Error ? cause.message : String(cause), { cause });
  });
  return `${((performance.now() - begunAt) / 1_000).toFixed(1)} s`;
}
/** Sends many questions; which of them are refused is the product's business. */
async function flood(client: WatchedClient, count: number, text: string): Promise<number> {
  let accepted = 0;
  await many(count, 20, async () => {
    await client.send(newId('conversation'), text).then(
      () => (accepted += 1),
      (error: unknown) => {
        if (!(error instanceof RefusedCall)) throw error;
      },
    );
  });
  return accepted;
}

/** Asks in this organisation, whose model never says a word. */
async function floodSilently(world: World, client: WatchedClient, count: number): Promise<number> {
  await world.useModel(client, world.servers.urlOf('silentModel'));
  return flood(client, count, 'Hello?');
}

const fiveOrganisations: Case = {
  name: 'answer slots: one person with five organisations and a model that only sends usage',
  async run(world) {
    const person = await world.newPerson();
    let accepted = 0;
    for (let made = 1; made <= organisationsEach; made += 1) {
      await person.createOrganisation(`Silent ${made}`);
      accepted += await floodSilently(world, person, 60);
    }
    const said = await refusal(() => person.createOrganisation('Silent 6'));
    if (!said.startsWith('org.too-many-organisations')) throw new Error(said);
    return `${accepted} questions; a sixth organisation: ${said}`;
  },
};

const transferredOrganisations: Case = {
  name: 'answer slots: seven organisations that one person transfers to a second account',
  async run(world) {
    const [person, second] = [await world.newPerson(), await world.newPerson()];
    let accepted = 0;
    for (let made = 1; made <= 7; made += 1) {
      await person.createOrganisation(`Transferred ${made}`);
      await joinByLink(person, second);
      await person.call('POST /api/org/ownership', { body: { userId: second.me!.id } });
      accepted += await floodSilently(world, second, 30);
    }
    await world.ask(world.other, newId('conversation'), 'Are you there?');
    return `${accepted} questions; another organisation was answered`;
  },
};

const accountsByOwnLink: Case = {
  name: 'answer slots: seven fresh accounts through the own invitation link',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Inviting' });
    const place = { groupIds: [], domain: null, places: 7, days: 1 };
    const { token } = await person.call('POST /api/org/invitation-links', {
      body: { id: newId('invitation'), label: 'All', role: 'member', ...place },
    });
    let accepted = 0;
    for (let made = 1; made <= 7; made += 1) {
      const account = await world.newPerson({ organisation: `By link ${made}`, invitation: token });
      accepted += await floodSilently(world, account, 30);
    }
    await world.ask(world.other, newId('conversation'), 'Are you there?');
    return `${accepted} questions; another organisation was answered`;
  },
};

const freshAccounts: Case = {
  name: 'answer slots: five fresh accounts from one address',
  async run(world) {
    const network = '192.0.2';
    let accepted = 0;
    for (let made = 1; made <= 5; made += 1) {
      const person = await world.newPerson({ organisation: `Fresh ${made}`, network });
      accepted += await floodSilently(world, person, 40);
    }
    await world.ask(world.other, newId('conversation'), 'Are you there?');
    const said = await refusal(async () => {
      for (let late = 0; late < 25; late += 1) await world.newPerson({ network });
    });
    if (!said.startsWith('platform.rate-limited')) throw new Error(said);
    return `${accepted} questions; one more account: ${said}`;
  },
};

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

async function readerKey(client: WatchedClient): Promise<string> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Reader', permissions: ['events:read' as const], endsAt };
  return (await client.call('POST /api/auth/my-api-keys', { body })).secret ?? '';
}
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
        for (let key = 0; key < 5; key += 1) secrets.push(await readerKey(person));
      }
      const statuses: number[] = [];
      await many(500, 50, async (at) => {
        statuses.push((await readEvents(world, secrets[at % secrets.length]!, leave.signal)).status);
      });
      const response = await readEvents(world, await readerKey(world.other), leave.signal);
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
  fiveOrganisations,
  transferredOrganisations,
  accountsByOwnLink,
  freshAccounts,
  slowSites,
  slowDocuments,
  eventReaders,
  hangingWebhooks,
  invitations,
];
