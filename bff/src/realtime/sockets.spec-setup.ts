import { afterEach, beforeEach } from '@jest/globals';
import {
  liveStreamOf,
  type ConversationId,
  type GenerationFrame,
  type OpenAck,
  type Permission,
  type PersonPrincipal,
  type TrialId,
} from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { Problem, type OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { RateLimits, rateTable } from '../proxy/rate-limits.ts';
import { OwnSite } from '../session/own-site.ts';
import { Sockets, type SocketParts } from './sockets.ts';

type Asked = { conversationId: ConversationId; trialId?: TrialId };

export const orgId: OrgId = newId('organisation');
let server: Server;
export let sockets: Sockets;
let url: string;
export let people: Map<string, PersonPrincipal>;
/** Who may open which conversation. */
export let granted: Set<string>;
export let asked: string[];
/** What chat says of a trial. */
export let trials: Map<string, object>;
let running: Map<string, object>;
export let revoked: Set<string>;
export let tellRevoked: () => void;
export let clients: Socket[];
export const live = new MemoryLiveStream();

beforeEach(async () => {
  [people, granted, asked, running, revoked, clients] = [new Map(), new Set(), [], new Map(), new Set(), []];
  trials = new Map();
  const counts = new Counts(new MemoryKv());
  server = createServer();
  sockets = new Sockets(server, {
    platform: {
      liveStream: live,
      revocations: {
        isFresh: () => true,
        isRevoked: ({ userId }: PersonPrincipal) => revoked.has(userId),
        toldTo: () => 'signed-out',
        onRevoked: (listener: () => void) => ((tellRevoked = listener), () => undefined),
      },
      peers: {
        call: async (_route: unknown, { params }: { params: Asked }, options: object) => {
          const { personToken } = options as { personToken: string };
          asked.push(`${personToken} ${params.trialId ?? params.conversationId}`);
          if (!granted.has(asked.at(-1)!)) throw new Problem('chat.conversation-not-found');
          if (params.trialId) return trials.get(params.trialId);
          return { sequence: 5, runningAnswer: running.get(params.conversationId) ?? null };
        },
      },
    },
    settings: { isInsecureHttp: true },
    ownSite: new OwnSite({ publicUrl: null, isInsecureHttp: true, tls: null }),
    principals: {
      session: async (id: string | null) => {
        const person = people.get(id ?? '');
        if (!person) throw new Problem('platform.unauthenticated');
        return { me: { id: person.userId }, person };
      },
      principal: async ({ person: session }: { person: PersonPrincipal }, of: OrgId) => {
        if (session.organisation?.orgId !== of) throw new Problem('org.organisation-not-found');
        return session;
      },
      token: async ({ userId }: PersonPrincipal) => userId,
      flowOf: ({ organisation }: PersonPrincipal) => organisation?.orgId ?? null,
    },
    presence: { enter: () => () => undefined, act: () => undefined },
    counts,
    rates: new RateLimits(counts, rateTable()),
  } as unknown as SocketParts);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const client of clients) client.disconnect();
  sockets.drain();
  server.closeAllConnections();
  server.close();
});

type Connection = { readonly session?: string; readonly of?: OrgId; readonly headers?: Record<string, string> };
export function connect({ session, of = orgId, headers = {} }: Connection): Socket {
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
/** The code of the problem, or the status of the upgrade's answer. */
const refusalOf = (error: Error & { data?: { code: string }; description?: { message?: string } }): string =>
  error.data?.code ?? /\d{3}$/.exec(error.description?.message ?? '')?.[0] ?? 'refused';
export const outcomeOf = (client: Socket) =>
  new Promise<string>((resolve) => {
    client.once('connect', () => resolve('connected'));
    client.once('connect_error', (error) => resolve(refusalOf(error)));
  });

export function aMember(permissions: readonly Permission[] = []): { person: PersonPrincipal; session: string } {
  const person = aPerson({ organisation: { orgId, permissions, rightsVersion: 1 } });
  const session = person.userId.replace('_', '-').padEnd(43, 'x').slice(0, 43);
  people.set(session, person);
  return { person, session };
}
export async function aTab(permissions?: readonly Permission[]) {
  const { person, session } = aMember(permissions);
  const socket = connect({ session });
  const frames: GenerationFrame[] = [];
  const heard: unknown[] = [];
  socket.on('generation.frame', (frame: GenerationFrame) => void frames.push(frame));
  socket.on('resource.changed', (about) => void heard.push(about));
  socket.on('session.ended', (about) => void heard.push(about));
  await outcomeOf(socket);
  const open = (conversationId: string, stream?: object, more: object = {}): Promise<OpenAck> =>
    socket.timeout(2_000).emitWithAck('conversation.open', { conversationId, ...(stream && { stream }), ...more });
  return { person, socket, frames, heard, open };
}
type Tab = Awaited<ReturnType<typeof aTab>>;
/** An answer that is being written, with its first word. */
export function anAnswer(conversationId = newId('conversation')) {
  const ids = { generationId: newId('generation'), answerId: newId('message') };
  const say = (seq: number, delta: string) =>
    live.append(liveStreamOf(conversationId, ids.generationId), { epoch: 1, seq, offset: 0, delta });
  say(1, 'One');
  running.set(conversationId, ids);
  return { conversationId, ids, say };
}
export const grant = ({ person }: Tab, id: ConversationId | TrialId) => granted.add(`${person.userId} ${id}`);
export const wordsOf = ({ frames }: Tab): string => frames.map(([, , , , delta]) => delta).join(' ');
