import {
  conversationClose,
  conversationOpen,
  eventDefinitions,
  getConversation,
  getTrial,
  allows,
  socketAuth,
  socketEventCosts,
  type ClientToServer,
  type ConversationOpen,
  type GenerationId,
  type OpenAck,
  type Permission,
  type PersonPrincipal,
  type ServerToClient,
} from '@parley/contracts';
import type { Counts } from '@parley/platform/counts';
import { toProblem, type Platform } from '@parley/platform/service';
import { Problem, type OrgId } from '@parley/protocol';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { BffSettings } from '../bff-settings.ts';
import type { RateLimits } from '../proxy/rate-limits.ts';
import { readSessionId } from '../session/cookie.ts';
import type { OwnSite } from '../session/own-site.ts';
import type { Principals, Session } from '../session/principals.ts';
import { LiveGate } from './live-gate.ts';
import { oneByOne, type InTurn } from './one-by-one.ts';
import type { Presence } from './presence.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { conversationRoom, isConversationRoom, StreamFollowers } from './stream-followers.ts';
import { UnreadBounds } from './unread.ts';

type ParleySocket = Socket<ClientToServer, ServerToClient, Record<string, never>, { principal: PersonPrincipal }>;
export type ParleyServer = Server<
  ClientToServer,
  ServerToClient,
  Record<string, never>,
  { principal: PersonPrincipal }
>;
export type SocketParts = {
  readonly platform: Platform;
  readonly settings: BffSettings;
  readonly ownSite: OwnSite;
  readonly principals: Principals;
  readonly presence: Presence;
  readonly counts: Pick<Counts, 'hold'>;
  readonly rates: Pick<RateLimits, 'organisation' | 'person'>;
};

type Opening = { readonly inTurn: InTurn; readonly request: unknown; readonly ack: unknown };
type Opened = { readonly sequence: number | null; readonly generationId: GenerationId | null };

const largestMessageBytes = 16_384;
const openConversationsPerSocket = 20;
const conversationDeadlineMs = 5_000;

/** Rooms: all tabs of a person, a person's tabs in one organisation, an organisation, those in it who have a right. */
export const rooms = {
  person: (userId: string) => `p:${userId}`,
  personInOrganisation: (orgId: string, userId: string) => `u:${orgId}/${userId}`,
  organisation: (orgId: string) => `o:${orgId}`,
  permitted: (orgId: string, permission: Permission) => `o:${orgId}/${permission}`,
  /** Those who watch what happens in an organisation each second. */
  watching: (orgId: string) => `m:${orgId}`,
  /** Null for a room of others. */
  watchedOf: (room: string): OrgId | null => (room.startsWith('m:') ? (room.slice(2) as OrgId) : null),
};

/** Who may see who is here. */
export const watchPermission: Permission = 'member:read_pii';
/** The rights that some live message asks for: nobody is told anything by those of the other rooms. */
const livePermissions = new Set([
  watchPermission,
  ...eventDefinitions.flatMap(({ live }) => (live && live !== 'conversation' && live.permission) || []),
]);

/** The live door: sockets with a session, an organisation and the rooms that go with them. */
export class Sockets {
  readonly io: ParleyServer;
  readonly gate: LiveGate;
  readonly followers: StreamFollowers;
  private readonly parts: SocketParts;
  private readonly stopListening: () => void;
  private readonly unread = new UnreadBounds();
  private isDraining = false;

  constructor(server: HttpServer, parts: SocketParts) {
    this.parts = parts;
    this.io = new Server(server, {
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: largestMessageBytes,
      perMessageDeflate: false,
      // A page that hears nothing for longer asks, and leaves a process that stands still.
      pingInterval: 3_000,
      pingTimeout: 15_000,
      connectTimeout: 10_000,
      allowRequest: (request, allow) =>
        void this.checkUpgrade(request).then(
          () => allow(null, true),
          (error: unknown) => refuseUpgrade(request.socket, toProblem(error)),
        ),
    });
    this.gate = new LiveGate({
      feed: parts.platform.revocations,
      hasSockets: () => this.openCount > 0,
      tellHeld: (isHeld) => void this.io.emit('live.held', isHeld),
    });
    this.followers = new StreamFollowers(this.io as never, parts.platform.liveStream, this.gate);
    this.io.engine.on('connection', (connection: Socket['conn']) => {
      this.unread.watch(connection);
      this.gate.start();
    });
    this.io.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(Object.assign(new Error('refused'), { data: toProblem(error).toDetails() })),
      );
    });
    this.io.on('connection', (socket) => this.serve(socket));
    this.stopListening = parts.platform.revocations.onRevoked(() => this.cutRevoked(), { whileAsked: true });
  }

  get openCount(): number {
    return this.io.engine.clientsCount;
  }

  /** Lets nobody new in, and closes the connections only: clients that are told to leave never try again. */
  drain(): void {
    this.isDraining = true;
    this.stopListening();
    this.gate.close();
    this.followers.close();
    this.unread.close();
    this.io.engine.close();
  }

  /** Before there is a web socket: whoever has no session, or too many of them, costs us none. */
  private async checkUpgrade(request: IncomingMessage): Promise<void> {
    if (this.isDraining) throw new Problem('platform.unavailable');
    if (!this.isOwn(request)) throw new Problem('bff.cross-site');
    const { me } = await this.session(request);
    const leave = await this.parts.counts.hold('sockets', { userId: me.id, orgId: null });
    if (request.socket.destroyed) leave();
    else request.socket.once('close', leave);
  }

  private isOwn(request: IncomingMessage): boolean {
    const { headers } = request;
    return (
      this.parts.ownSite.isOwnHost(request) &&
      (headers.origin === undefined || this.parts.ownSite.isOwnOrigin(headers.origin, headers.host))
    );
  }

  private async admit(socket: ParleySocket): Promise<void> {
    const session = await this.session(socket.request);
    const auth = socketAuth.safeParse(socket.handshake.auth);
    if (!auth.success) throw new Problem('platform.organisation-missing');
    socket.data.principal = await this.parts.principals.principal(session, auth.data.orgId);
  }

  /** Rejects where the person, or their organisation, has sent too much in this minute. */
  private async count({ data: { principal } }: ParleySocket, event: keyof ClientToServer): Promise<void> {
    const { parts } = this;
    await parts.rates.person(socketEventCosts[event], principal.userId);
    await parts.rates.organisation(socketEventCosts[event], principal.organisation?.orgId ?? null);
  }

  private async session({ headers }: IncomingMessage): Promise<Session> {
    const sessionId = readSessionId(headers.cookie, this.parts.settings.isInsecureHttp);
    return this.parts.principals.session(sessionId);
  }

  private async serve(socket: ParleySocket): Promise<void> {
    const { userId, organisation } = socket.data.principal;
    if (!organisation) {
      socket.disconnect(true);
      return;
    }
    const joined = [
      rooms.person(userId),
      rooms.personInOrganisation(organisation.orgId, userId),
      rooms.organisation(organisation.orgId),
    ];
    for (const permission of livePermissions)
      if (allows({ userId, permissions: organisation.permissions }, permission))
        joined.push(rooms.permitted(organisation.orgId, permission));
    void socket.join(joined);
    const { presence } = this.parts;
    socket.once('disconnect', presence.enter(socket.data.principal, socket.request.headers['user-agent'] ?? null));
    const inTurn = oneByOne();
    const { orgId, permissions } = organisation;
    socket.on('conversation.open', (request, ack) => {
      presence.act(orgId, userId);
      void this.answer(socket, { inTurn, request, ack });
    });
    const counted = (event: keyof ClientToServer, act: () => void) =>
      void this.count(socket, event).then(act, () => undefined);
    socket.on('live.check', (ack: unknown) => {
      if (typeof ack === 'function') counted('live.check', () => void ack());
    });
    if (allows({ userId, permissions }, 'monitoring:read_org'))
      socket.on('monitoring.watch', (isWatching: unknown) =>
        counted('monitoring.watch', () => {
          if (isWatching === true) void socket.join(rooms.watching(orgId));
          else void socket.leave(rooms.watching(orgId));
        }),
      );
    socket.on('conversation.close', (request) => {
      const parsed = conversationClose.safeParse(request);
      if (!parsed.success) return;
      // In turn: one that is still being opened is closed after that.
      const leave = () => socket.leave(conversationRoom(parsed.data.conversationId));
      counted('conversation.close', () => void inTurn(leave));
    });
  }

  private async answer(socket: ParleySocket, { inTurn, request, ack }: Opening): Promise<void> {
    const reply = typeof ack === 'function' ? (ack as (answer: OpenAck) => void) : () => {};
    try {
      const parsed = conversationOpen.safeParse(request);
      if (!parsed.success) throw new Problem('platform.invalid-request');
      await this.count(socket, 'conversation.open');
      reply(await inTurn(() => this.open(socket, parsed.data)));
    } catch (error) {
      reply({ ok: false, problem: toProblem(error).toDetails() });
    }
  }

  /**
   * The right is checked by chat, each time but for a room that the socket is in: revocation cuts the socket. Which
   * answer is followed is chat's word too: one that is named here and not followed is asked for.
   */
  private async open(socket: ParleySocket, request: ConversationOpen): Promise<OpenAck> {
    const { conversationId, stream } = request;
    const room = conversationRoom(conversationId);
    const isOpen = socket.rooms.has(room);
    const after = stream && stream.epoch > 0 ? { epoch: stream.epoch, seq: stream.seq } : null;
    const followed = stream && this.followers.followed(conversationId, stream.generationId);
    if (isOpen && followed) {
      await this.followers.replay(socket as never, followed, after);
      return { ok: true, sequence: null, generationId: followed.generationId };
    }
    if (!isOpen && openConversations(socket) >= openConversationsPerSocket)
      throw new Problem('platform.rate-limited', { detail: 'Too many conversations are open in this tab.' });
    const { sequence, generationId } = await this.ask(socket, request);
    await socket.join(room);
    if (generationId) {
      const held = stream?.generationId === generationId ? after : null;
      await this.followers.replay(socket as never, { conversationId, generationId }, held);
    }
    return { ok: true, sequence, generationId };
  }

  /** What chat says of it to this person. */
  private async ask(socket: ParleySocket, { conversationId, trialId }: ConversationOpen): Promise<Opened> {
    const { platform, principals } = this.parts;
    const options = {
      personToken: await principals.token(socket.data.principal, 'chat'),
      deadlineMs: conversationDeadlineMs,
      failMode: 'refuse',
    } as const;
    if (trialId === undefined) {
      const params = { conversationId };
      const { sequence, runningAnswer } = await platform.peers.call(getConversation, { params }, options);
      return { sequence, generationId: runningAnswer?.generationId ?? null };
    }
    const trial = await platform.peers.call(getTrial, { params: { trialId } }, options);
    if (trial.conversationId !== conversationId) throw new Problem('chat.conversation-not-found');
    const isRunning = trial.status === 'queued' || trial.status === 'running';
    return { sequence: null, generationId: isRunning ? trial.generationId : null };
  }

  private cutRevoked(): void {
    const feed = this.parts.platform.revocations;
    for (const socket of this.io.of('/').sockets.values()) if (feed.isRevoked(socket.data.principal)) this.cut(socket);
  }

  private cut(socket: ParleySocket): void {
    socket.emit('session.ended', { reason: this.parts.platform.revocations.toldTo(socket.data.principal) });
    socket.disconnect(true);
  }
}

const openConversations = (socket: ParleySocket): number => [...socket.rooms].filter(isConversationRoom).length;
