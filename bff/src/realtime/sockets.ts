import {
  conversationClose,
  conversationOpen,
  eventDefinitions,
  getConversation,
  allows,
  Problem,
  socketAuth,
  type ClientToServer,
  type ConversationOpen,
  type OpenAck,
  type Permission,
  type PersonPrincipal,
  type ServerToClient,
} from '@parley/contracts';
import { toProblem, type Platform } from '@parley/platform/service';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import type { BffSettings } from '../bff-settings.ts';
import { readSessionId } from '../session/cookie.ts';
import type { OwnSite } from '../session/own-site.ts';
import type { Principals } from '../session/principals.ts';
import { LiveGate } from './live-gate.ts';
import { conversationRoom, isConversationRoom, StreamFollowers } from './stream-followers.ts';

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
};

const largestMessageBytes = 16_384;
const drainBatch = 50;
const openConversationsPerSocket = 20;
const conversationDeadlineMs = 5_000;

/** Rooms: all tabs of a person, a person's tabs in one organisation, an organisation, those in it who have a right. */
export const rooms = {
  person: (userId: string) => `p:${userId}`,
  personInOrganisation: (orgId: string, userId: string) => `u:${orgId}/${userId}`,
  organisation: (orgId: string) => `o:${orgId}`,
  permitted: (orgId: string, permission: Permission) => `o:${orgId}/${permission}`,
};

/** The rights that the live rule of some event asks for: nobody is told anything by those of the other rooms. */
const livePermissions = new Set(
  eventDefinitions.flatMap(({ live }) => (live && live !== 'conversation' && live.permission) || []),
);

/** The live door: sockets with a session, an organisation and the rooms that go with them. */
export class Sockets {
  readonly io: ParleyServer;
  readonly gate: LiveGate;
  readonly followers: StreamFollowers;
  private readonly parts: SocketParts;
  private readonly stopListening: () => void;
  private isDraining = false;

  constructor(server: HttpServer, parts: SocketParts) {
    this.parts = parts;
    this.io = new Server(server, {
      transports: ['websocket'],
      serveClient: false,
      maxHttpBufferSize: largestMessageBytes,
      perMessageDeflate: false,
      pingInterval: 20_000,
      pingTimeout: 15_000,
      connectTimeout: 10_000,
      allowRequest: (request, callback) => callback(this.refusal(request), this.refusal(request) === null),
    });
    this.gate = new LiveGate(parts.platform.revocations, () => this.closeAll());
    this.followers = new StreamFollowers(this.io as never, parts.platform.liveStream, this.gate);
    this.io.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(Object.assign(new Error('refused'), { data: toProblem(error).toDetails() })),
      );
    });
    this.io.on('connection', (socket) => this.serve(socket));
    this.stopListening = parts.platform.revocations.onRevoked(() => this.cutRevoked());
  }

  get openCount(): number {
    return this.io.engine.clientsCount;
  }

  /**
   * Cuts connections in random batches, so that clients come back to somewhere else one after the other; nobody new
   * gets in. Only the connection is closed: a client that is told to leave never tries again by itself.
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    this.stopListening();
    this.gate.close();
    const sockets = [...this.io.of('/').sockets.values()].toSorted(() => Math.random() - 0.5);
    for (let at = 0; at < sockets.length; at += drainBatch) {
      for (const socket of sockets.slice(at, at + drainBatch)) socket.conn.close();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.followers.close();
    // Those that were being admitted meanwhile.
    this.closeAll();
    this.io.engine.close();
  }

  private refusal(request: IncomingMessage): string | null {
    if (this.isDraining) return 'draining';
    return this.isOwn(request) ? null : 'cross-site';
  }

  private isOwn({ headers }: IncomingMessage): boolean {
    return (
      this.parts.ownSite.isOwnHost(headers.host) &&
      (headers.origin === undefined || this.parts.ownSite.isOwnOrigin(headers.origin, headers.host))
    );
  }

  private async admit(socket: ParleySocket): Promise<void> {
    const sessionId = readSessionId(socket.request.headers.cookie, this.parts.settings.isInsecureHttp);
    const session = sessionId === null ? null : await this.parts.principals.session(sessionId);
    if (!session) throw new Problem('platform.unauthenticated');
    const auth = socketAuth.safeParse(socket.handshake.auth);
    if (!auth.success) throw new Problem('platform.organisation-missing');
    socket.data.principal = await this.parts.principals.principal(session, auth.data.orgId);
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
    socket.on('conversation.open', (request, ack) => void this.answer(socket, request, ack));
    socket.on('conversation.close', (request) => {
      const parsed = conversationClose.safeParse(request);
      if (parsed.success) void socket.leave(conversationRoom(parsed.data.conversationId));
    });
  }

  private async answer(socket: ParleySocket, request: unknown, ack: unknown): Promise<void> {
    const reply = typeof ack === 'function' ? (ack as (answer: OpenAck) => void) : () => {};
    try {
      const parsed = conversationOpen.safeParse(request);
      if (!parsed.success) throw new Problem('platform.invalid-request');
      reply(await this.open(socket, parsed.data));
    } catch (error) {
      reply({ ok: false, problem: toProblem(error).toDetails() });
    }
  }

  /** The right is checked by chat, each time but for a room that the socket is in: revocation cuts the socket. */
  private async open(socket: ParleySocket, { conversationId, stream }: ConversationOpen): Promise<OpenAck> {
    const room = conversationRoom(conversationId);
    const named = stream?.answerId && { conversationId, generationId: stream.generationId, answerId: stream.answerId };
    const after = stream && stream.epoch > 0 ? { epoch: stream.epoch, seq: stream.seq } : null;
    if (named && socket.rooms.has(room)) {
      await this.followers.replay(socket as never, named, after);
      return { ok: true, sequence: null, generationId: named.generationId };
    }
    if (openConversations(socket) >= openConversationsPerSocket)
      throw new Problem('platform.rate-limited', { detail: 'Too many conversations are open in this tab.' });
    const { platform, principals } = this.parts;
    const conversation = await platform.peers.call(
      getConversation,
      { params: { conversationId } },
      {
        personToken: await principals.token(socket.data.principal, 'chat'),
        deadlineMs: conversationDeadlineMs,
        failMode: 'refuse',
      },
    );
    await socket.join(room);
    const running = conversation.runningAnswer && { conversationId, ...conversation.runningAnswer };
    if (running)
      await this.followers.replay(
        socket as never,
        running,
        stream?.generationId === running.generationId ? after : null,
      );
    if (named && named.generationId !== running?.generationId) this.followers.follow(named, null);
    return { ok: true, sequence: conversation.sequence, generationId: running?.generationId ?? null };
  }

  private cutRevoked(): void {
    const feed = this.parts.platform.revocations;
    for (const socket of this.io.of('/').sockets.values()) if (feed.isRevoked(socket.data.principal)) this.cut(socket);
  }

  /** Only the connections: clients try again by themselves. */
  private closeAll(): void {
    for (const socket of this.io.of('/').sockets.values()) socket.conn.close();
  }

  private cut(socket: ParleySocket): void {
    socket.emit('session.ended', { reason: 'revoked' });
    socket.disconnect(true);
  }
}

const openConversations = (socket: ParleySocket): number => [...socket.rooms].filter(isConversationRoom).length;
