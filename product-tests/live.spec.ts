import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  ConversationChangedMessage,
  ConversationId,
  GenerationFrame,
  OpenAck,
  ResourceChangedMessage,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { HeldAnswer, ParleyClient, type LiveSocket } from '@parley/testing/client';
import { io } from 'socket.io-client';
import {
  lastEvents,
  newPerson,
  password,
  plantMember,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
/** The provider's next words wait for this. */
let goOn: () => void;
const sockets: LiveSocket[] = [];

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream').write(token('one '));
    goOn = () => {
      response.write(token('two '));
      response.end(`${token('three')}${lastEvents(1, 3)}`);
    };
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  owner = await newPerson(running.url, { organisation: 'Live' });
  await owner.call('POST /api/chat/providers', {
    body: { id: newId('provider'), name: 'M', baseUrl: mock.url, models: ['m'], defaultModel: 'm', isDefault: true },
  });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A connected tab with what it has heard. */
async function tab(
  client: ParleyClient,
): Promise<{
  socket: LiveSocket;
  frames: GenerationFrame[];
  answer: HeldAnswer;
  changes: ConversationChangedMessage[];
  resources: ResourceChangedMessage[];
}> {
  const socket = client.socket();
  sockets.push(socket);
  const frames: GenerationFrame[] = [];
  const answer = new HeldAnswer();
  const changes: ConversationChangedMessage[] = [];
  const resources: ResourceChangedMessage[] = [];
  socket.on('resource.changed', (change) => resources.push(change));
  socket.on('generation.frame', (frame) => {
    frames.push(frame);
    answer.take(frame);
  });
  socket.on('conversation.changed', (change) => changes.push(change));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return { socket, frames, answer, changes, resources };
}
const open = (socket: LiveSocket, request: unknown): Promise<OpenAck> =>
  socket.emitWithAck('conversation.open', request as never) as Promise<OpenAck>;

async function askAndSeeFirstWord(): Promise<ConversationId> {
  const conversationId = newId('conversation');
  const { answer } = await owner.send(conversationId, 'Count');
  await eventually(
    async () =>
      expect(
        (await owner.call('GET /api/chat/conversations/:conversationId', { params: { conversationId } })).runningAnswer,
      ).toEqual({ generationId: answer.generation?.id, answerId: answer.id }),
    'the answer should run',
  );
  const first = await tab(owner);
  expect(await open(first.socket, { conversationId })).toMatchObject({ ok: true });
  await eventually(() => expect(first.answer.text).toBe('one '), 'the first word should arrive');
  return conversationId;
}

describe('an answer in the making', () => {
  test('reload, second tab and second device get what is there and then go on; nothing is repeated', async () => {
    const conversationId = await askAndSeeFirstWord();
    const device = new ParleyClient(running.url);
    await device.signIn(owner.me?.email ?? '', password);
    device.orgId = owner.orgId;
    const late = [await tab(owner), await tab(device)];
    for (const { socket } of late) await open(socket, { conversationId });
    await eventually(
      () => expect(late.map((each) => each.answer.text)).toEqual(['one ', 'one ']),
      'both should see the first word',
    );
    goOn();
    await eventually(
      () =>
        expect(late.map((each) => [each.answer.text, each.answer.end])).toEqual([
          ['one two three', 'done'],
          ['one two three', 'done'],
        ]),
      'both should see the end',
    );
    for (const { frames } of late) expect(new Set(frames.map(([, , seq]) => seq)).size).toBe(frames.length);
    await eventually(
      () => expect(late[1]?.changes.at(-1)).toMatchObject({ kind: 'generation', generation: { status: 'done' } }),
      'the end should be announced',
    );
  });

  test('a tab that says what it holds gets only the rest', async () => {
    const conversationId = await askAndSeeFirstWord();
    const [holds, again] = [await tab(owner), await tab(owner)];
    await open(holds.socket, { conversationId });
    await eventually(() => expect(holds.answer.text).toBe('one '), 'the first word should arrive');
    const [generationId, epoch, seq = 0] = holds.frames.at(-1) ?? [];
    await open(again.socket, { conversationId, stream: { generationId, epoch, seq } });
    goOn();
    await eventually(() => expect(again.frames.at(-1)?.[5]).toBe('done'), 'the end should arrive');
    expect(again.frames.filter((frame) => frame[2] <= seq)).toEqual([]);
    expect(again.frames.map(([, , , , delta]) => delta).join('')).toBe('two three');
  });
});

describe('what a socket may', () => {
  const refused = (url: string, options: Record<string, unknown>) =>
    new Promise<string>((resolve) => {
      const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false, ...options });
      sockets.push(socket as LiveSocket);
      socket.on('connect', () => resolve('connected'));
      socket.on('connect_error', (error) => resolve((error as { data?: { code?: string } }).data?.code ?? 'refused'));
    });

  test('without a session, from another site, or for another organisation there is no connection', async () => {
    const stranger = await newPerson(running.url, { organisation: 'Strangers' });
    const cookie = (stranger as unknown as { cookie: string }).cookie;
    expect(await refused(running.url, { auth: { orgId: owner.orgId } })).toBe('refused');
    expect(await refused(running.url, { auth: { orgId: owner.orgId }, extraHeaders: { cookie } })).toBe(
      'org.organisation-not-found',
    );
    expect(await refused(running.url, { auth: {}, extraHeaders: { cookie } })).toBe('platform.organisation-missing');
    expect(
      await refused(running.url, { auth: { orgId: stranger.orgId, userId: owner.me?.id }, extraHeaders: { cookie } }),
    ).toBe('platform.organisation-missing');
    expect(
      await refused(running.url, {
        auth: { orgId: stranger.orgId },
        extraHeaders: { cookie, origin: 'https://evil.example' },
      }),
    ).toBe('refused');
    expect(
      await refused(running.url, {
        auth: { orgId: stranger.orgId },
        extraHeaders: { cookie },
        transports: ['polling'],
      }),
    ).toBe('refused');
  });

  test("another's conversation stays closed, whatever is asked", async () => {
    const conversationId = await askAndSeeFirstWord();
    const generationId = (await owner.messages(conversationId)).items[1]?.generation?.id;
    const stranger = await newPerson(running.url, { organisation: 'Strangers' });
    const { socket, frames } = await tab(stranger);
    const own = newId('conversation');
    await stranger.send(own, 'mine');
    expect(await open(socket, { conversationId })).toMatchObject({
      ok: false,
      problem: { code: 'chat.conversation-not-found' },
    });
    await open(socket, { conversationId: own });
    await open(socket, { conversationId: own, stream: { generationId, epoch: 0, seq: 0 } });
    for (const nonsense of [null, [], {}, { conversationId: { $ne: null } }, { conversationId: 'c:x' }, 'text'])
      expect(await open(socket, nonsense)).toMatchObject({ ok: false });
    const mine = await tab(owner);
    await open(mine.socket, { conversationId });
    goOn();
    await eventually(() => expect(mine.answer.end).toBe('done'), 'the owner should have all of it');
    // Frames that were sent before it would come first.
    await open(socket, { conversationId: own });
    expect(frames.filter((frame) => frame[0] === generationId)).toEqual([]);
  });

  test('a client that names a place of the future silences nobody', async () => {
    const conversationId = await askAndSeeFirstWord();
    goOn();
    await eventually(
      async () => expect((await owner.messages(conversationId)).items[1]?.generation?.status).toBe('done'),
      'the first answer should end',
    );
    const [odd, other] = [await tab(owner), await tab(owner)];
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    for (const { socket } of [odd, other]) await open(socket, { conversationId });
    await open(odd.socket, { conversationId, stream: { generationId: ids.generationId, epoch: 99, seq: 7 } });
    await owner.send(conversationId, 'Count', ids);
    await eventually(
      () =>
        expect(
          other.frames.some(([generationId, , , , delta]) => generationId === ids.generationId && delta === 'one '),
        ).toBe(true),
      'the other tab should hear the first word',
    );
    goOn();
  });

  test('two tabs in two organisations hear only their own', async () => {
    const second = owner.copy();
    await second.createOrganisation('The other one');
    const [here, there] = [await tab(owner), await tab(second)];
    const conversationId = newId('conversation');
    await second.send(conversationId, 'over there');
    await eventually(() => expect(there.changes.length).toBeGreaterThan(0), 'the own tab should hear of it');
    expect(JSON.stringify(here.changes)).not.toContain(conversationId);
    await expect(owner.messages(conversationId)).rejects.toMatchObject({ status: 404 });
  });
});

describe('what lists and pages show', () => {
  test('a document is told to those of its organisation who may read documents, a provider to all of it', async () => {
    const stranger = await newPerson(running.url, { organisation: 'Strangers' });
    const guest = await newPerson(running.url);
    await plantMember(running.parley, guest, owner, 'guest');
    const [ours, guests, theirs] = [await tab(owner), await tab(guest), await tab(stranger)];
    const { id } = await owner.upload('leave.md', 'Carry over ends in March.');
    const resources = ['documents', 'deleted-documents', 'connections', 'models'];
    const documentChanged = { orgId: owner.orgId, resources };
    await eventually(() => expect(ours.resources).toContainEqual(documentChanged), 'the owner should hear of it');
    await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId: id } });
    const provider = await owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Second',
        baseUrl: mock.url,
        models: ['m'],
        defaultModel: 'm',
        isDefault: false,
      },
    });
    const providersChanged = { orgId: owner.orgId, resources: ['models', 'providers'] };
    await eventually(() => expect(guests.resources).toContainEqual(providersChanged), 'the guest should hear of it');
    expect(guests.resources).not.toContainEqual(documentChanged);
    expect(theirs.resources.filter(({ orgId }) => orgId === owner.orgId)).toEqual([]);
    await owner.call('DELETE /api/chat/providers/:providerId', { params: { providerId: provider.id } });
  });

  test('a membership is told to all tabs of the person, in whatever organisation they are, and to nobody else', async () => {
    const [one, other] = [await tab(owner), await tab(await newPerson(running.url, { organisation: 'Strangers' }))];
    const { id: orgId } = await owner.copy().createOrganisation('A third one');
    await eventually(
      () => expect(one.resources).toContainEqual({ orgId, resources: ['organisations'] }),
      'the new organisation should be heard of',
    );
    // Of the own new organisation the other person may have heard only now.
    expect(other.resources.map((told) => told.orgId)).not.toContain(orgId);
  });
});

describe('revocation', () => {
  test('ends sockets and requests on all devices; a new sign-in works', async () => {
    const person = await newPerson(running.url, { organisation: 'Leaving' });
    const other = new ParleyClient(running.url);
    await other.signIn(person.me?.email ?? '', password);
    other.orgId = person.orgId;
    const { socket } = await tab(other);
    await other.call('GET /api/chat/conversations');
    const cut = new Promise((resolve) => {
      socket.io.reconnection(false);
      socket.on('disconnect', resolve);
    });
    await person.call('DELETE /api/auth/sessions');
    await eventually(async () => {
      const response = await other.raw('GET', '/api/chat/conversations');
      await response.text();
      expect(response.status).toBe(401);
    }, 'requests of the other device should be refused');
    await cut;
    await other.signIn(person.me?.email ?? '', password);
    await other.call('GET /api/chat/conversations');
  });
});
