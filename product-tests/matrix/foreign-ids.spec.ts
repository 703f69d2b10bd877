import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  clientIdOf,
  type Budget,
  type BudgetId,
  type ChatbotContent,
  type ConnectionId,
  type IdKind,
  type MessageId,
} from '@parley/contracts';
import { derivedId, newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import mongoose from 'mongoose';
import { newPerson, untilChatKnows } from '@parley/embedded/test-parley';
import type { OrgId, RouteContract } from '@parley/protocol';
import { outsideRoutes } from './all-rows.spec-setup.ts';
import { importedTexts } from '../imported-chat.spec-setup.ts';
import { EventLog } from '../live-rules/settled.spec-setup.ts';
import { Scene } from './scene.spec-setup.ts';
import type { Row, RowRequest, World } from './rows.spec-setup.ts';

/** Somebody creates a thing with the id of another organisation's thing: nothing happens to the original. */
let scene: Scene;
/** The other organisation: requests that its owner makes name only own things beside the id. */
let elsewhere: World;

beforeAll(async () => {
  scene = await Scene.start();
  elsewhere = await scene.otherWorld();
}, 120_000);
afterAll(() => scene.close());

type Named = { readonly name: string; readonly route: RouteContract; readonly row: Row };
const named = outsideRoutes.map(([name, route, row]): Named => ({ name, route, row }));
/** A client makes the id: in the body, or beside an upload. */
const creates = named.filter(
  ({ route, row }) =>
    route.scope === 'organisation' && route.method === 'POST' && row.refused === undefined && takesId(route),
);
const changes = named.filter(
  ({ route, row }) => route.scope === 'organisation' && ['PUT', 'PATCH', 'DELETE'].includes(route.method) && row.things,
);

function takesId({ body, query, rawBodyLimit }: RouteContract): boolean {
  const schema = rawBodyLimit === undefined ? body : query;
  return 'id' in ((schema as { shape?: object } | undefined)?.shape ?? {});
}

const idOf = ({ body, query }: RowRequest): string =>
  query?.['id'] ?? String((body as Record<string, unknown> | undefined)?.['id']);
const withId = (request: RowRequest, id: string): RowRequest =>
  request.query?.['id'] === undefined
    ? { ...request, body: { ...(request.body as Record<string, unknown>), id } }
    : { ...request, query: { ...request.query, id } };
const prefixOf = (id: string): string => id.slice(0, 4);

/** Keeps the kind of id that each of them makes. A request can make other things first, so this asks for one only once. */
const kinds = new Map<string, string>();
async function kindOf({ name, row }: Named): Promise<string> {
  const kind = kinds.get(name) ?? prefixOf(idOf(await row.request(scene.world)));
  kinds.set(name, kind);
  return kind;
}

/** Another thing that the request names was not found before anything looked at the id: nothing was tried. */
const undecided = [404, 422];

/** The other organisation's owner creates what this request names, by each route that makes such things. */
async function createElsewhere({ params }: RowRequest): Promise<string[]> {
  const tried: string[] = [];
  for (const create of creates) {
    const { name, route, row } = create;
    const kind = await kindOf(create);
    const id = Object.values(params ?? {}).find((value) => prefixOf(value) === kind);
    if (id === undefined) continue;
    const model = await row.request(scene.world);
    const statusOf = async (request: RowRequest) =>
      (await scene.call(scene.people.otherOwner, route, withId(request, id))).status;
    let status = await statusOf(model);
    if (undecided.includes(status)) status = await statusOf(await row.request(elsewhere));
    // 409: the id is taken. 2xx: ids are unique in an organisation.
    expect([name, [201, 202, 204, ...undecided, 409].includes(status), status]).toEqual([name, true, status]);
    // The id alone was refused if the same request with an id of its own is accepted.
    const isTried =
      !undecided.includes(status) ||
      (await scene.call(scene.people.otherOwner, route, await row.request(elsewhere))).status < 300;
    if (isTried) tried.push(name);
  }
  return tried;
}

test('most things have a route that creates them with an id of the client', () => {
  expect(creates.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['createBudget', 'createRole', 'createWebhook', 'createChatbot', 'uploadDocument']),
  );
});

describe('of each change of a thing whose id was tried elsewhere', () => {
  const seen = new Set<string>();

  test.each(changes)('$name', async ({ route, row }) => {
    const request = await row.request(scene.world);
    for (const name of await createElsewhere(request)) seen.add(name);
    const { status } = await scene.call(scene.world.owner, route, request);
    expect(status).toBe(row.refused ?? route.status ?? 200);
  });

  test('every such thing was among them, or has no change', () => {
    // Append only: nothing changes them afterwards.
    const unchanged = ['uploadFile', 'askTrial', 'startTestRun', 'endManyAccesses'];
    expect(creates.map(({ name }) => name).filter((name) => !seen.has(name) && !unchanged.includes(name))).toEqual([]);
  });
});

describe('an id that follows from others, which a client can name', () => {
  const content: ChatbotContent = {
    name: 'Assistant',
    glyph: 'bot',
    instructions: 'Be kind.',
    model: null,
    fallback: null,
    temperature: null,
    knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
    starters: [],
    audience: { kind: 'everybody' },
  };
  const address = '203.0.113.77';
  const chatbotOf = (orgId: OrgId) => derivedId('chatbot', ['default', orgId]);
  const connectionOf = (orgId: OrgId) => derivedId('connection', ['uploads', orgId]);
  const isForClients = (kind: IdKind, id: string): boolean => clientIdOf(kind).safeParse(id).success;
  /** Makes values until a client could name all ids that follow from one: one in 85 each. */
  function until<Value>(make: (at: number) => Value, isNameable: (value: Value) => boolean): Value {
    for (let at = 0; ; at += 1) {
      const value = make(at);
      if (isNameable(value)) return value;
    }
  }

  /** Everybody's ids that follow from this organisation and person, and are for clients in every run. */
  function idsOf(victim: ParleyClient) {
    const [orgId, userId] = [victim.orgId!, victim.me!.id];
    const conversationOf = (chat: string) => derivedId('conversation', ['import', orgId, userId, 'chatgpt', chat, 0]);
    const chat = until(
      (at) => `chat-${at}`,
      (id) => isForClients('conversation', conversationOf(id)),
    );
    const messageOf = (id: string) => derivedId('message', [conversationOf(chat), id]);
    const message = until(
      (at) => `message-${at}`,
      (id) => isForClients('message', messageOf(id)),
    );
    const holder = until(
      (at) => `holder-${at}`,
      (id) => isForClients('file', derivedId('file', [messageOf(id), 0])),
    );
    const wiki = until(
      () => newId('connection'),
      (id) => isForClients('document', derivedId('document', [id, page])),
    );
    return {
      chat,
      message,
      conversationId: conversationOf(chat),
      messageId: messageOf(message),
      fileId: derivedId('file', [messageOf(holder), 0]),
      documentId: derivedId('document', [wiki, page]),
    };
  }
  const page = 'https://wiki.example/leave';

  test('cannot be taken by another organisation, before it exists and after', async () => {
    const victim = await newPerson(scene.running.url, { address });
    const id = until(
      () => newId('organisation'),
      (orgId) => isForClients('chatbot', chatbotOf(orgId)) && isForClients('connection', connectionOf(orgId)),
    );
    await victim.call('POST /api/org/organisations', { body: { id, name: 'Late Bloomers' } });
    victim.orgId = id;
    const [chatbotId, connectionId, ids] = [chatbotOf(id), connectionOf(id), idsOf(victim)];
    const { otherOwner } = scene.people;
    const take = async (name: string, taken: string): Promise<[string, number]> => {
      const { route, row } = creates.find((create) => create.name === name)!;
      const model = await row.request(scene.world);
      return [name, (await scene.call(otherOwner, route, withId(model, taken))).status];
    };
    const ask = async (conversationId: string, messageId: MessageId): Promise<[string, number]> => {
      const asked = { messageId, answerId: newId('message'), generationId: newId('generation'), text: 'Herons?' };
      const [method, path] = ['POST', `/api/chat/conversations/${conversationId}/messages`] as const;
      const sent = { body: JSON.stringify(asked), contentType: 'application/json' };
      return ['sendMessage', (await otherOwner.request(method, path, sent)).status];
    };
    const takeAll = async () => [
      await take('createChatbot', chatbotId),
      await take('createConnection', connectionId),
      await take('uploadDocument', ids.documentId),
      await take('uploadFile', ids.fileId),
      await ask(ids.conversationId, newId('message')),
      await ask(newId('conversation'), ids.messageId),
    ];
    for (const [name, status] of await takeAll())
      expect([name, [201, 202].includes(status), status]).toEqual([name, true, status]);
    const publish = (person: ParleyClient, revision: number) =>
      person.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', {
        params: { chatbotId },
        body: { revision, note: 'First' },
      });
    const { revision: others } = await otherOwner.call('GET /api/chat/chatbot-drafts/:chatbotId', {
      params: { chatbotId },
    });
    await publish(otherOwner, others);

    const drafts = await victim.call('GET /api/chat/chatbot-drafts/:chatbotId', { params: { chatbotId } });
    const body = { revision: drafts.revision, content };
    const edited = await victim.call('PUT /api/chat/chatbot-drafts/:chatbotId', { params: { chatbotId }, body });
    expect(edited).toMatchObject({ id: chatbotId, content: { instructions: 'Be kind.' } });
    const published = await publish(victim, edited.revision);
    const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
    const restricted = await victim.call('PATCH /api/chat/connections/:connectionId', {
      params: { connectionId: connectionId as ConnectionId },
      body: { version: 0, audience },
    });
    expect(restricted).toMatchObject({ id: connectionId, audience });
    expect(await importedTexts(victim, ids)).toEqual(['When do herons come?', 'In March.']);

    for (const [name, status] of await takeAll())
      expect([name, [200, 201, 202, 404, 409].includes(status), status]).toEqual([name, true, status]);
    const again = await victim.call('GET /api/chat/chatbot-drafts/:chatbotId', { params: { chatbotId } });
    expect(again).toEqual(published);
  });
});

test("another organisation's budget of the same id takes no hard limit away", async () => {
  const { owner, parley } = scene.world;
  const { otherOwner } = scene.people;
  const common = { id: newId('budget'), period: 'month' as const, unit: 'tokens' as const, softLimit: null };
  const scope = { kind: 'person' as const, id: newId('user') };
  const set = async (id: BudgetId, hardLimit: number): Promise<Budget> => {
    const known = (await owner.call('GET /api/billing/budgets')).items.find((budget) => budget.id === id)!;
    const body = { version: known.version, softLimit: 5, hardLimit };
    return owner.call('PUT /api/billing/budgets/:budgetId', { params: { budgetId: id }, body });
  };
  await owner.call('POST /api/billing/budgets', { body: { ...common, scope, softLimit: 5, hardLimit: null } });
  const other = await otherOwner.call('POST /api/billing/budgets', {
    body: { ...common, scope: { kind: 'organisation' }, hardLimit: 1 },
  });
  await untilChatKnows(parley, otherOwner, other);
  await untilChatKnows(parley, owner, await set(common.id, 200));
});

test('no event of any of this failed', async () => {
  const log = await EventLog.of(scene.world.parley);
  await log.settled();
  await log.close();
  for (const database of ['parley_auth', 'parley_org', 'parley_chat', 'parley_billing', 'parley_monitoring']) {
    const connection = await mongoose.createConnection(scene.world.parley.internals.storeUri(database)).asPromise();
    try {
      await eventually(async () => {
        const [letters, keys] = await Promise.all(
          ['dead_letters', 'parked_keys'].map((name) => connection.collection(name).find({}).toArray()),
        );
        expect([database, letters, keys]).toEqual([database, [], []]);
      }, 'no event should wait or be a dead letter');
    } finally {
      await connection.close();
    }
  }
});
