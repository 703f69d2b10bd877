import { createServer, type Server, type Socket } from 'node:net';
import type { MessagePort } from 'node:worker_threads';
import type { ReserveOptions } from '../storage/reserve.ts';
import { Store } from '../storage/store.ts';
import type { QueryGuard } from '../query/guard.ts';
import { serveConnection } from '../wire/connection.ts';
import { servePort } from '../wire/port.ts';
import { Cursors } from './cursors.ts';
import { Dispatcher } from './dispatcher.ts';
import { Executor, type Task } from './executor.ts';
import { FailPoints } from './fail-points.ts';
import { HoldLog } from './hold-log.ts';
import { Sessions } from './sessions.ts';
import { sweepExpired } from './ttl.ts';
import type { Engine } from './context.ts';

export type ServerOptions = {
  file: string;
  socketPath: string;
  /** Carries commands from the process that started the store, without a socket. */
  port: MessagePort;
  testCommands: boolean;
  guard: QueryGuard;
  keepsExpiredMs: number;
  transactionLifetimeMs: number;
  reserve: ReserveOptions | undefined;
};

const sweepEveryMs = 1000;
const sweepRepliesEveryMs = 10 * 60 * 1000;
const drainMs = 5000;

// oxlint-disable-next-line require-yield -- every task is a generator
function* sweepReplies(engine: Engine, now: number): Task {
  engine.store.replies.sweep(now);
  return Buffer.alloc(0);
}

/** The store behind a socket and a port. */
export class DocumentServer {
  private readonly engine: Engine;
  private readonly executor: Executor;
  private readonly dispatcher: Dispatcher;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly port: MessagePort;
  private readonly timer: NodeJS.Timeout;
  private readonly expiredFrom: number;
  private repliesSweptAt = performance.now();

  constructor(options: ServerOptions) {
    const store = new Store(options.file, options.reserve);
    const cursors = new Cursors();
    const holds = new HoldLog();
    this.executor = new Executor(store, holds);
    this.engine = {
      store,
      holds,
      cursors,
      sessions: new Sessions(store, cursors, options.transactionLifetimeMs),
      slice: this.executor.slice,
      failPoints: options.testCommands ? new FailPoints() : undefined,
      guard: options.guard,
    };
    this.dispatcher = new Dispatcher(this.engine, this.executor);
    this.port = options.port;
    this.server = createServer({ noDelay: true }, (socket) => this.accept(socket));
    this.expiredFrom = performance.now() + options.keepsExpiredMs;
    this.timer = setInterval(() => this.sweep(), sweepEveryMs);
  }

  /** Starts to accept connections, and commands of the port. */
  listen(path: string): Promise<void> {
    servePort(this.port, (request, reply) => this.dispatcher.dispatch(request, reply));
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(path, resolve);
    });
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    serveConnection(socket, (request, reply) => {
      this.dispatcher.dispatch(request, (document) => (document === undefined ? socket.destroy() : reply(document)));
    });
  }

  private sweep(): void {
    const now = performance.now();
    this.engine.cursors.sweep(now);
    this.engine.sessions.sweep(now);
    if (now >= this.expiredFrom) sweepExpired(this.engine, this.executor);
    if (now - this.repliesSweptAt < sweepRepliesEveryMs) return;
    this.repliesSweptAt = now;
    this.executor.submit(
      sweepReplies(this.engine, Date.now()),
      { name: 'sweep of kept replies', isWrite: true, deadline: Number.POSITIVE_INFINITY },
      () => {},
    );
  }

  /** Answers what is under way, refuses what is new, and closes the file. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.dispatcher.close();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.engine.sessions.forgetAll();
    const until = performance.now() + drainMs;
    while (!this.executor.isIdle && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const socket of this.sockets) socket.end();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200))]);
    for (const socket of this.sockets) socket.destroy();
    this.port.close();
    this.engine.store.close();
  }
}
