// These attackers take all answer slots, by a model that says a word each nine seconds, and by images.
import type { FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { RefusedCall } from '@parley/testing/client';
import { eventually } from '@parley/testing/eventually';
import { setTimeout as wait } from 'node:timers/promises';
import { joinByLink } from '../accounts.ts';
import { aKey, lookEveryMs, many, tally, type Case, type World } from './world.ts';
import type { WatchedClient } from './watched-client.ts';

const organisationsEach = 5;
const settlesMs = 2_000;
const readWithinMs = 40_000;
const mostLooks = 10;

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

/** Waits until the slow model isn't asked for more: a question sent before would meet free slots. */
async function slotsAreTaken({ servers }: World): Promise<number> {
  let before = -1;
  for (let looked = 0; looked < mostLooks && servers.slowAnswers !== before; looked += 1) {
    before = servers.slowAnswers;
    await wait(settlesMs);
  }
  return servers.slowAnswers;
}

/** Has the other organisation ask when the attack has what it can get, and returns how long its answer took. */
async function answered(world: World, accepted: number): Promise<string> {
  const open = await slotsAreTaken(world);
  const begunAt = performance.now();
  const failure = await world.ask(world.other, newId('conversation'), 'Are you there?');
  if (failure !== null) throw new Error(`The answer of the other organisation failed: ${failure}`);
  const took = ((performance.now() - begunAt) / 1_000).toFixed(1);
  return `${accepted} questions, ${open} slow answers open; another organisation was answered after ${took} s`;
}
async function linkOf(owner: WatchedClient, places: number): Promise<string> {
  const place = { groupIds: [], domain: null, places, days: 1 as const };
  const { token } = await owner.call('POST /api/org/invitation-links', {
    body: { id: newId('invitation'), label: 'All', role: 'member', ...place },
  });
  return token;
}

/** Asks in this organisation, whose model says a word each nine seconds. */
async function floodSlowly(world: World, client: WatchedClient, count: number): Promise<number> {
  await world.useModel(client, world.servers.urlOf('slowModel'));
  return flood(client, count, 'Hello?');
}

const fiveOrganisations: Case = {
  name: 'answer slots: one person with five organisations',
  async run(world) {
    const person = await world.newPerson();
    let accepted = 0;
    for (let made = 1; made <= organisationsEach; made += 1) {
      await person.createOrganisation(`Slow ${made}`);
      accepted += await floodSlowly(world, person, 40);
    }
    const said = await refusal(() => person.createOrganisation('Slow 6'));
    if (!said.startsWith('org.too-many-organisations')) throw new Error(said);
    return `${await answered(world, accepted)}; a sixth organisation: ${said}`;
  },
};

/** Uses ten accounts: one person has a tenth of the slots at most, also in organisations of others. */
const transferredOrganisations: Case = {
  name: 'answer slots: 20 organisations that one person hands over to ten accounts by the own link',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Handed over 0' });
    const invitation = await linkOf(person, 10);
    let accepted = 0;
    for (let account = 1; account <= 10; account += 1) {
      const second = await world.newPerson({ invitation });
      for (let made = 1; made <= 2; made += 1) {
        await person.createOrganisation(`Handed over ${account}-${made}`);
        await joinByLink(person, second);
        await person.call('POST /api/org/ownership', { body: { userId: second.me!.id } });
        accepted += await floodSlowly(world, second, 10);
      }
    }
    return answered(world, accepted);
  },
};

const accountsByLink: Case = {
  name: 'answer slots: 5, 7 and 20 accounts by the link of an approved organisation, which none of them joins',
  async run(world) {
    const token = await linkOf(world.other, 20);
    let accepted = 0;
    const seen: string[] = [];
    for (let made = 1; made <= 20; made += 1) {
      const account = await world.newPerson({ organisation: `By link ${made}`, invitation: token });
      accepted += await floodSlowly(world, account, made <= 7 ? 20 : 5);
      if ([5, 7, 20].includes(made)) seen.push(`${made} accounts: ${await answered(world, accepted)}`);
    }
    return seen.join('; ');
  },
};

const accountsByOwnLink: Case = {
  name: 'answer slots: seven fresh accounts through the own invitation link',
  async run(world) {
    const token = await linkOf(await world.newPerson({ organisation: 'Inviting' }), 7);
    let accepted = 0;
    for (let made = 1; made <= 7; made += 1) {
      const account = await world.newPerson({ organisation: `By own link ${made}`, invitation: token });
      accepted += await floodSlowly(world, account, 20);
    }
    return answered(world, accepted);
  },
};

const freshAccounts: Case = {
  name: 'answer slots: the first account of a network, and four more of it',
  async run(world) {
    const network = '192.0.2';
    let accepted = 0;
    for (let made = 1; made <= 5; made += 1) {
      const person = await world.newPerson({ organisation: `Fresh ${made}`, network });
      accepted += await floodSlowly(world, person, 20);
    }
    const seen = await answered(world, accepted);
    const said = await refusal(async () => {
      for (let late = 0; late < 25; late += 1) await world.newPerson({ network });
    });
    if (!said.startsWith('platform.rate-limited')) throw new Error(said);
    return `${seen}; one more account: ${said}`;
  },
};

/** Accounts of the day before differ from these by nothing that decides a flow. */
const tenNetworks: Case = {
  name: 'answer slots: ten accounts of ten networks',
  async run(world) {
    let accepted = 0;
    for (let made = 1; made <= 10; made += 1) {
      const person = await world.newPerson({ organisation: `Far ${made}`, network: `198.18.${made}` });
      accepted += await floodSlowly(world, person, 20);
    }
    return answered(world, accepted);
  },
};

const manyQuestions: Case = {
  name: 'answer slots: 2,000 questions of one person',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Eager' });
    return answered(world, await floodSlowly(world, person, 2_000));
  },
};

const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Ten images take a while to check, one reaches the model soon. */
const completionOf = (model: string | undefined, images: number): string => {
  const url = `data:image/png;base64,${image.toString('base64')}`;
  const content = [
    { type: 'text', text: 'What is it?' },
    ...Array.from({ length: images }, () => ({ type: 'image_url', image_url: { url } })),
  ];
  return JSON.stringify({ model, messages: [{ role: 'user', content }], stream: true });
};
/** Looks seldom: requests of a person are limited by the minute. */
const isRead = (person: WatchedClient, id: FileId): Promise<void> =>
  eventually(
    async () => {
      await wait(lookEveryMs);
      const { items } = await person.call('GET /api/chat/files', { query: { ids: id } });
      if (items[0]?.status !== 'ready') throw new Error(`The image is ${items[0]?.status}.`);
    },
    'the image is read',
    readWithinMs,
  );
const imageQuestions: Case = {
  name: 'images: questions with images of one person, through the API and in chats',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Pictures' });
    await world.useModel(person, world.servers.urlOf('slowModel'));
    const { items } = await person.call('GET /api/chat/chatbots');
    const headers = { authorization: `Bearer ${await aKey(person, ['chat:create'])}` };
    const leave = new AbortController();
    const statuses: number[] = [];
    let [asked, unread] = [0, 0];
    try {
      const asking = many(40, 40, async (at) => {
        const body = completionOf(items[0]?.id, at % 4 === 0 ? 10 : 1);
        const options = { headers, body, contentType: 'application/json', signal: leave.signal };
        statuses.push((await world.visitor().raw('POST', '/v1/chat/completions', options)).status);
      });
      const asksInChats = many(40, 10, async () => {
        const id = newId('file');
        const given = { body: image, contentType: 'application/octet-stream' };
        const status = await person.statusOf('POST', `/api/chat/files?id=${id}&name=pixel.png`, given);
        statuses.push(status);
        if (status !== 201) return;
        // Another attacker's documents can have the readers of their flow: then it waits, and that is no fault.
        const isReady = await isRead(person, id).then(
          () => true,
          () => false,
        );
        if (!isReady) return void (unread += 1);
        await person.send(newId('conversation'), 'What is it?', { files: [{ id, use: 'auto' }] });
        asked += 1;
      });
      await Promise.all([asking, asksInChats]);
      const seen = tally(statuses, [200, 201, 400, 413, 429, 503]);
      if (asked === 0) throw new Error(`No question with an image was asked: ${seen}`);
      return `${seen}; ${unread} images were not read; ${await answered(world, asked)}`;
    } finally {
      leave.abort();
    }
  },
};

export const answerCases: readonly Case[] = [
  fiveOrganisations,
  transferredOrganisations,
  accountsByLink,
  accountsByOwnLink,
  freshAccounts,
  tenNetworks,
  manyQuestions,
  imageQuestions,
];
