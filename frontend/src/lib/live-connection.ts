import type { ClientToServer, ConversationId, ConversationOpen, OpenAck, ServerToClient } from '@parley/contracts';
import type { OrgId, ProblemDetails } from '@parley/protocol';
import type { Socket } from 'socket.io-client';
import { loadChunk } from './load-chunk.ts';

export type LiveStatus = 'connecting' | 'live' | 'reconnecting' | 'offline';
export type LiveEvents = ServerToClient & { connected: () => void; unreached: () => void };
type Handlers = { [Name in keyof LiveEvents]: Set<LiveEvents[Name]> };

const ackTimeoutMs = 10_000;
/** A connection that does not answer for so long after an outage is given up for a new one. */
const checkTimeoutMs = 1_500;
/** A beat that comes so much too late means that the machine slept, and the server has long gone. */
const beatMs = 2_000;
const sleepMs = 5_000;
/**
 * The server says something each 3 s, if only a ping. A connection that says nothing for so long is asked, and given up
 * where no answer comes: its process stands still.
 */
const silentMs = 4_500;
const silentCheckMs = 3_000;
const connectTimeoutMs = 5_000;
/** After a pause of the server pages ask again for what failed meanwhile, spread over so long. */
const mostSpreadMs = 2_000;
/** What arrived before the connection was lost this long ago is shown as old. */
const staleAfterMs = 15_000;

const messageNames = [
  'generation.frame',
  'conversation.changed',
  'resource.changed',
  'session.ended',
  'live.held',
  'monitoring.now',
] as const satisfies readonly (keyof ServerToClient)[];

/** One socket per tab and organisation. Loads the socket library after the page is usable. */
export class LiveConnection {
  readonly orgId: OrgId;
  #socket: Socket<ServerToClient, ClientToServer> | null = null;
  #status: LiveStatus = 'connecting';
  #lostAt: number | null = null;
  #isStale = false;
  #refusal: ProblemDetails | null = null;
  #lastBeatAt = Date.now();
  #heardAt = performance.now();
  /** The server delivers nothing for now. */
  #isHeld = false;
  #staleTimer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  /** The start that counts; null when closed. */
  #run: symbol | null = null;
  readonly #watchers = new Set<() => void>();
  readonly #handlers: Handlers = {
    'generation.frame': new Set(),
    'conversation.changed': new Set(),
    'resource.changed': new Set(),
    'session.ended': new Set(),
    'live.held': new Set(),
    'monitoring.now': new Set(),
    connected: new Set(),
    unreached: new Set(),
  };

  constructor(orgId: OrgId) {
    this.orgId = orgId;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Since when nothing arrives, in ms, once that is so long that what is shown is old; null before. */
  get staleSince(): number | null {
    return this.#isStale && !this.#refusal ? this.#lostAt : null;
  }

  /** Why the server lets this tab's socket not in, since it last did; null where it does, or could not be asked. */
  get refusal(): ProblemDetails | null {
    return this.#refusal;
  }

  /** Can be closed and started again. */
  async start(): Promise<void> {
    const run = Symbol('run');
    this.#run = run;
    const isCurrent = () => this.#run === run;
    const { io } = await loadChunk(() => import('socket.io-client'));
    if (!isCurrent()) return;
    const socket: Socket<ServerToClient, ClientToServer> = io({
      transports: ['websocket'],
      auth: { orgId: this.orgId },
      reconnectionDelay: 300,
      reconnectionDelayMax: 5000,
      timeout: connectTimeoutMs,
    });
    this.#socket = socket;
    socket.on('connect', () => {
      this.#heard();
      socket.io.engine.on('packet', this.#heard);
      this.#isHeld = false;
      this.#refuse(null);
      this.#setStatus('live');
      this.#tellConnected();
    });
    socket.on('disconnect', (reason) => {
      if (!isCurrent()) return;
      this.#lose();
      // The server closed it on purpose (draining): come back, only not all at once.
      if (reason === 'io server disconnect')
        setTimeout(() => isCurrent() && socket.connect(), 300 + Math.random() * 700);
    });
    socket.on('connect_error', (error: Error & { data?: ProblemDetails }) => {
      // Closed to this session, person or organisation: nothing is shown that could be old. All else is asked for as ever.
      if (error.data?.status === 403) this.#refuse(error.data);
      this.#lose();
      for (const handler of this.#handlers.unreached) handler();
      // Refused by the server, not by the network: socket.io does not try again by itself.
      if (!socket.active) setTimeout(() => isCurrent() && socket.connect(), 3000);
    });
    for (const name of messageNames) {
      socket.on(name, ((message: never) => {
        for (const handler of this.#handlers[name]) (handler as (value: never) => void)(message);
      }) as never);
    }
    this.on('live.held', this.#hold);
    window.addEventListener('offline', this.#lose);
    window.addEventListener('online', this.retryNow);
    document.addEventListener('visibilitychange', this.#seen);
    this.#beat = setInterval(this.#noticeSilence, beatMs);
  }

  close(): void {
    this.#run = null;
    this.#handlers['live.held'].delete(this.#hold);
    window.removeEventListener('offline', this.#lose);
    window.removeEventListener('online', this.retryNow);
    document.removeEventListener('visibilitychange', this.#seen);
    clearInterval(this.#beat);
    clearTimeout(this.#staleTimer);
    this.#socket?.disconnect();
    this.#socket = null;
  }

  on<Name extends keyof LiveEvents>(name: Name, handler: LiveEvents[Name]): () => void {
    this.#handlers[name].add(handler);
    return () => this.#handlers[name].delete(handler);
  }

  /** Live again as soon as the network is: a connection that still carries something stays, else a new one begins. */
  readonly retryNow = (): void => {
    if (this.#status === 'offline') this.#setStatus('reconnecting');
    const socket = this.#socket;
    if (!socket) return;
    if (!socket.connected) return reopen(socket);
    this.#check(socket, checkTimeoutMs);
  };

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Null while not connected, or when the server did not answer in time: the next `connected` asks again. */
  async open(request: ConversationOpen): Promise<OpenAck | null> {
    if (!this.#socket?.connected) return null;
    return this.#socket
      .timeout(ackTimeoutMs)
      .emitWithAck('conversation.open', request)
      .catch(() => null);
  }

  leave(conversationId: ConversationId): void {
    if (this.#socket?.connected) this.#socket.emit('conversation.close', { conversationId });
  }

  /** Lost with the connection: whoever watches says so again on `connected`. */
  watchNow(isWatching: boolean): void {
    if (this.#socket?.connected) this.#socket.emit('monitoring.watch', isWatching);
  }

  #check(socket: Socket<ServerToClient, ClientToServer>, timeoutMs: number): void {
    socket.timeout(timeoutMs).emit('live.check', (error: Error | null) => {
      if (socket !== this.#socket || !socket.connected) return;
      if (error) reopen(socket);
      else if (!this.#isHeld) this.#setStatus('live');
    });
  }

  #tellConnected(): void {
    for (const handler of this.#handlers.connected) handler();
  }

  #setStatus(status: LiveStatus): void {
    if (status === 'live') this.#refresh();
    else if (this.#lostAt === null) this.#age();
    if (status === this.#status) return;
    this.#status = status;
    this.#tell();
  }

  #refuse(problem: ProblemDetails | null): void {
    if (this.#refusal?.code === problem?.code) return;
    this.#refusal = problem;
    this.#tell();
  }

  #age(): void {
    this.#lostAt = Date.now();
    this.#staleTimer = setTimeout(() => {
      this.#isStale = true;
      this.#tell();
    }, staleAfterMs);
  }

  #refresh(): void {
    clearTimeout(this.#staleTimer);
    this.#lostAt = null;
    this.#isStale = false;
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  readonly #seen = (): void => {
    if (document.hidden) return;
    this.#lastBeatAt = Date.now();
    this.retryNow();
  };

  readonly #heard = (): void => {
    this.#heardAt = performance.now();
  };

  readonly #hold = (isHeld: boolean): void => {
    this.#isHeld = isHeld;
    this.#setStatus(isHeld ? 'reconnecting' : 'live');
    if (isHeld) return;
    const run = this.#run;
    setTimeout(
      () => run === this.#run && this.#status === 'live' && this.#tellConnected(),
      Math.random() * mostSpreadMs,
    );
  };

  /** A hidden page's timers are slowed down by the browser, which is no sleep. */
  readonly #noticeSilence = (): void => {
    const lateMs = Date.now() - this.#lastBeatAt - beatMs;
    this.#lastBeatAt = Date.now();
    if (document.hidden) return;
    if (lateMs > sleepMs) return this.retryNow();
    const socket = this.#socket;
    if (!socket?.connected || this.#status === 'offline' || performance.now() - this.#heardAt < silentMs) return;
    this.#heard();
    this.#check(socket, silentCheckMs);
  };

  readonly #lose = (): void => this.#setStatus(navigator.onLine ? 'reconnecting' : 'offline');
}

/** Now, whatever pause between two tries is on. */
function reopen(socket: Socket<ServerToClient, ClientToServer>): void {
  socket.disconnect();
  socket.connect();
}
