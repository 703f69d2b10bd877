// What is costly by its size: large documents and chats, many questions, and what crosses organisations.
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { RefusedCall } from '@parley/testing/client';
import { joinByLink } from '../accounts.ts';
import type { WatchedClient } from './watched-client.ts';
import { many, tally, type Case } from './world.ts';

const documentWithinMs = 280_000;
/** More than are read quickly, and many times what one command of the store may hold. */
const passagesOfLarge = 5_000;

/** Some 5 MB of Markdown: a link each 60 characters. */
const links = (): string =>
  Array.from({ length: 80_000 }, (_unused, at) => `- [Heron ${at} at the lake](https://example.com/herons/${at})`).join(
    '\n',
  );

const largeDocument: Case = {
  name: 'store: a document of 5,000 passages, deleted and restored',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Archive' });
    const { id: documentId } = await person.upload('links.md', links());
    const passages = await eventually(
      async () => {
        const { items } = await person.call('GET /api/chat/documents');
        const document = items.find(({ id }) => id === documentId);
        if (document?.status !== 'searchable') throw new Error(`It is ${document?.status}.`);
        return document.passageCount;
      },
      'the document should be searchable',
      documentWithinMs,
    );
    if (passages < passagesOfLarge) throw new Error(`It has ${passages} passages only.`);
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      statuses.push(await person.statusOf('DELETE', `/api/chat/documents/${documentId}`));
      statuses.push(await person.statusOf('POST', `/api/chat/documents/${documentId}/restore`));
    }
    return `${passages} passages; ${tally(statuses, [200, 204, 409, 429])}`;
  },
};

const largeChat: Case = {
  name: 'reads: 128 at once of a 4.9 MB chat',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Novels' });
    await world.useModel(person, world.servers.urlOf('quickModel'));
    const conversationId = newId('conversation');
    for (let sent = 0; sent < 50; sent += 1) await world.ask(person, conversationId, '東'.repeat(32_000));
    const before = world.rssMb();
    let peak = before;
    const watching = setInterval(() => (peak = Math.max(peak ?? 0, world.rssMb() ?? 0)), 200);
    const statuses: number[] = [];
    try {
      await many(256, 128, async () => {
        statuses.push(await person.statusOf('GET', `/api/chat/conversations/${conversationId}/messages?limit=100`));
      });
    } finally {
      clearInterval(watching);
    }
    return `${tally(statuses, [200, 429])}; memory from ${before} to ${peak} MB`;
  },
};

const manyQuestions: Case = {
  name: 'questions: 500 of 30,000 characters, 100 at once',
  async run(world) {
    const person = await world.newPerson({ organisation: 'Curious' });
    await world.useModel(person, world.servers.urlOf('quickModel'));
    const text = 'Why do herons stand on one leg? '.repeat(930);
    const statuses: number[] = [];
    await many(500, 100, async () => {
      const conversationId = newId('conversation');
      const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
      const body = JSON.stringify({ ...ids, text });
      const path = `/api/chat/conversations/${conversationId}/messages`;
      statuses.push(await person.statusOf('POST', path, { body, contentType: 'application/json' }));
    });
    return tally(statuses, [202, 429]);
  },
};

const foreignBudget: Case = {
  name: 'budgets: a hard limit holds although another organisation has a budget of its id',
  async run(world) {
    const { other } = world;
    const insider = await world.newPerson();
    await joinByLink(other, insider);
    const scope = { kind: 'person' as const, id: insider.me!.id };
    const given = { id: newId('budget'), scope, period: 'month' as const, unit: 'tokens' as const };
    const budget = await other.call('POST /api/billing/budgets', {
      body: { ...given, softLimit: 1_000_000, hardLimit: null },
    });
    const accomplice = await world.newPerson({ organisation: 'Elsewhere' });
    const taken = await accomplice.statusOf('POST', '/api/billing/budgets', {
      body: JSON.stringify({ ...given, softLimit: null, hardLimit: 1_000_000 }),
      contentType: 'application/json',
    });
    await other.call('PUT /api/billing/budgets/:budgetId', {
      params: { budgetId: budget.id },
      body: { version: budget.version, softLimit: null, hardLimit: 1 },
    });
    await eventually(async () => {
      const failure = await world.ask(insider, newId('conversation'), 'Do herons count?');
      if (failure !== 'budget-spent') throw new Error(`The answer ended with ${failure}.`);
    }, 'the hard limit should be enforced');
    return `the other's budget of the same id: ${taken}; answers are refused`;
  },
};

const sameName: Case = {
  name: 'URL names: 20 organisations of one name, and of one without Latin letters',
  async run(world) {
    let person: WatchedClient | null = null;
    for (const name of ['Acme Ltd', '公司']) {
      for (let founder = 0; founder < 4; founder += 1) {
        person = await world.newPerson();
        for (let made = 0; made < 5; made += 1) await person.createOrganisation(name);
      }
      await (await world.newPerson()).createOrganisation(name);
    }
    const refused: unknown = await person?.createOrganisation('Acme Ltd').catch((error: unknown) => error);
    if (!(refused instanceof RefusedCall)) throw new Error('A sixth organisation of one person was not refused.');
    const { code, detail = '' } = refused.problem;
    if (code !== 'org.too-many-organisations' || !/admin/i.test(detail)) throw new Error(`${code}: ${detail}`);
    return `all were created; a sixth of one person: ${detail}`;
  },
};

/** They keep the machine busy: one after the other, beside those that wait. */
export const storeCases: readonly Case[] = [foreignBudget, sameName, largeChat, manyQuestions];
/** It waits for its reader first. */
export const waitingStoreCases: readonly Case[] = [largeDocument];
