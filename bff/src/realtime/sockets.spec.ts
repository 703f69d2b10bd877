import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  liveStreamOf,
  Problem,
  type ConversationId,
  type GenerationFrame,
  type OpenAck,
  type OrgId,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { aPerson, eventually } from '@parley/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { OwnSite } from '../session/own-site.ts';
import { rooms, Sockets, type SocketParts } from './sockets.ts';

const orgId: OrgId = newId('organisation');
let server: Server;
let sockets: Sockets;
let url: string;
let people: Map<string, PersonPrincipal>;
/** Who may open which conversation. */
let granted: Set<string>;
let asked: string[];
let running: Map<string, object>;
let revoked: Set<string>;
let tellRevoked: () => void;
let clients: Socket[];
const live = new MemoryLiveStream();

beforeEach(async () => {
  [people, granted, asked, running, revoked, clients] = [new Map(), new Set(), [], new Map(), new Set(), []];
  server = createServer();
  sockets = new Sockets(server, {
    platform: {
      liveStream: live,
      revocations: {
        isFresh: () => true,
        isRevoked: ({ userId }: PersonPrincipal) => revoked.has(userId),
        onRevoked: (listener: () => void) => ((tellRevoked = listener), () => undefined),
      },
      peers: {
        call: async (_route: unknown, { params }: { params: { conversationId: ConversationId } }, options: object) => {
          const { personToken } = options as { personToken: string };
          asked.push(`${personToken} ${params.conversationId}`);
          if (!granted.has(asked.at(-1)!)) throw new Problem('chat.conversation-not-found');
          return { sequence: 5, runningAnswer: running.get(params.conversationId) ?? null };
        },
      },
    },
    settings: { isInsecureHttp: true },
    ownSite: new OwnSite({ publicUrl: null, isInsecureHttp: true, tls: null }),
    principals: {
      session: async (id: string) => people.get(id) ?? null,
      principal: async (session: PersonPrincipal, of: OrgId) => {
        if (session.organisation?.orgId !== of) throw new Problem('org.organisation-not-found');
        return session;
      },
      token: async ({ userId }: PersonPrincipal) => userId,
    },
  } as unknown as SocketParts);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const client of clients) client.disconnect();
  await sockets.drain();
  server.closeAllConnections();
  server.close();
});

type Connection = { readonly session?: string; readonly of?: OrgId; readonly headers?: Record<string, string> };
function connect({ session, of = orgId, headers = {} }: Connection): Socket {
  const cookie: Record<string, string> = session === undefined ? {} : { cookie: `parley-session=${session}` };
  const extraHeaders = { ...cookie, ...headers };
  const client = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { orgId: of },
    extraHeaders,
  });
  clients.push(client);
  return client;
}
const outcomeOf = (client: Socket) =>
  new Promise<string>((resolve) => {
    client.once('connect', () => resolve('connected'));
    client.once('connect_error', (error) => resolve((error as { data?: { code: string } }).data?.code ?? 'refused'));
  });

function aMember(permissions: readonly Permission[] = []): { person: PersonPrincipal; session: string } {
  const person = aPerson({ organisation: { orgId, permissions, rightsVersion: 1 } });
  const session = person.userId.replace('_', '-').padEnd(43, 'x').slice(0, 43);
  people.set(session, person);
  return { person, session };
}
async function aTab(permissions?: readonly Permission[]) {
  const { person, session } = aMember(permissions);
  const socket = connect({ session });
  const frames: GenerationFrame[] = [];
  const heard: unknown[] = [];
  socket.on('generation.frame', (frame: GenerationFrame) => void frames.push(frame));
  socket.on('resource.changed', (about) => void heard.push(about));
  socket.on('session.ended', (about) => void heard.push(about));
  await outcomeOf(socket);
  const open = (conversationId: string, stream?: object): Promise<OpenAck> =>
    socket.timeout(2_000).emitWithAck('conversation.open', { conversationId, ...(stream && { stream }) });
  return { person, socket, frames, heard, open };
}
type Tab = Awaited<ReturnType<typeof aTab>>;
/** An answer that is being written, with its first word. */
function anAnswer(conversationId = newId('conversation')) {
  const ids = { generationId: newId('generation'), answerId: newId('message') };
  const say = (seq: number, delta: string) =>
    live.append(liveStreamOf(conversationId, ids.generationId), { epoch: 1, seq, offset: 0, delta });
  say(1, 'One');
  running.set(conversationId, ids);
  return { conversationId, ids, say };
}
const grant = ({ person }: Tab, conversationId: ConversationId) => granted.add(`${person.userId} ${conversationId}`);
const wordsOf = ({ frames }: Tab): string => frames.map(([, , , , delta]) => delta).join(' ');

describe('a connection', () => {
  test('needs a session, an organisation of that person, and our own pages', async () => {
    const { session } = aMember();
    expect(await outcomeOf(connect({ session }))).toBe('connected');
    expect(await outcomeOf(connect({}))).toBe('platform.unauthenticated');
    expect(await outcomeOf(connect({ session: 'y'.repeat(43) }))).toBe('platform.unauthenticated');
    expect(await outcomeOf(connect({ session, of: newId('organisation') }))).toBe('org.organisation-not-found');
    expect(await outcomeOf(connect({ session, of: 'none' as OrgId }))).toBe('platform.organisation-missing');
    expect(await outcomeOf(connect({ session, headers: { origin: 'https://evil.example' } }))).toBe('refused');
  });

  test('ends within a moment when its person is revoked, and no other', async () => {
    const [gone, other] = [await aTab(), await aTab()];
    revoked.add(gone.person.userId);
    tellRevoked();
    await eventually(() => !gone.socket.connected, 'the socket is cut');
    expect(gone.heard).toEqual([{ reason: 'revoked' }]);
    await wait(30);
    expect(other.socket.connected).toBe(true);
  });
});

describe('opening a conversation', () => {
  test('asks chat for the person, then tells what is there and goes on', async () => {
    const tab = await aTab();
    const { conversationId, ids, say } = anAnswer();
    grant(tab, conversationId);
    expect(await tab.open(conversationId)).toEqual({ ok: true, sequence: 5, generationId: ids.generationId });
    expect(asked).toEqual([`${tab.person.userId} ${conversationId}`]);
    say(2, 'two');
    await eventually(() => wordsOf(tab) === 'One two', 'both words arrive');
  });

  test('of somebody else is refused, and nothing of it is heard, also when its answer is named', async () => {
    const [owner, colleague] = [await aTab(), await aTab()];
    const { conversationId, ids, say } = anAnswer();
    grant(owner, conversationId);
    await owner.open(conversationId);
    for (const stream of [undefined, { ...ids, epoch: 1, seq: 0 }])
      expect(await colleague.open(conversationId, stream)).toMatchObject({
        ok: false,
        problem: { code: 'chat.conversation-not-found' },
      });
    say(2, 'two');
    await eventually(() => wordsOf(owner) === 'One two', 'the owner hears it');
    expect(colleague.frames).toEqual([]);
  });

  test("opens no other's stream by its answer's name", async () => {
    const tab = await aTab();
    const [mine, theirs] = [anAnswer(), anAnswer()];
    grant(tab, mine.conversationId);
    await tab.open(mine.conversationId);
    await tab.open(mine.conversationId, { ...theirs.ids, epoch: 1, seq: 0 });
    theirs.say(2, 'secret');
    await wait(50);
    expect(wordsOf(tab)).toBe('One');
  });

  test('again, with the answer named, asks nobody and gives what is new', async () => {
    const tab = await aTab();
    const { conversationId, ids, say } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    say(2, 'two');
    await eventually(() => tab.frames.length === 2, 'two words are there');
    await tab.open(conversationId, { ...ids, epoch: 1, seq: 1 });
    expect(asked).toHaveLength(1);
    expect(wordsOf(tab)).toBe('One two two');
  });

  test('that was closed is asked for anew', async () => {
    const tab = await aTab();
    const { conversationId, ids, say } = anAnswer();
    grant(tab, conversationId);
    await tab.open(conversationId);
    tab.socket.emit('conversation.close', { conversationId });
    granted.clear();
    expect(await tab.open(conversationId, { ...ids, epoch: 1, seq: 1 })).toMatchObject({ ok: false });
    say(2, 'two');
    await wait(50);
    expect(wordsOf(tab)).toBe('One');
  });

  test('goes on for twenty of them, and what is no request is refused', async () => {
    const tab = await aTab();
    for (let count = 1; count <= 21; count += 1) {
      const id = newId('conversation');
      grant(tab, id);
      expect(await tab.open(id)).toMatchObject(
        count <= 20 ? { ok: true } : { problem: { code: 'platform.rate-limited' } },
      );
    }
    expect(await tab.open('nothing')).toMatchObject({ problem: { code: 'platform.invalid-request' } });
  });
});

test('rooms: what needs a right is heard by who has it, what is of a person by that person', async () => {
  const [reader, other] = [await aTab(['data_connection:read']), await aTab()];
  const about = (name: string) => ({ orgId, resources: [name] }) as never;
  sockets.io.to(rooms.permitted(orgId, 'data_connection:read')).emit('resource.changed', about('documents'));
  sockets.io.to(rooms.organisation(orgId)).emit('resource.changed', about('models'));
  sockets.io.to(rooms.person(other.person.userId)).emit('resource.changed', about('organisations'));
  sockets.io.to(rooms.personInOrganisation(orgId, other.person.userId)).emit('resource.changed', about('messages'));
  for (const elsewhere of [
    rooms.organisation(newId('organisation')),
    rooms.personInOrganisation(newId('organisation'), other.person.userId),
  ])
    sockets.io.to(elsewhere).emit('resource.changed', about('providers'));
  await eventually(() => reader.heard.length + other.heard.length === 5, 'all is heard');
  expect(reader.heard).toEqual([about('documents'), about('models')]);
  expect(other.heard).toEqual([about('models'), about('organisations'), about('messages')]);
});
