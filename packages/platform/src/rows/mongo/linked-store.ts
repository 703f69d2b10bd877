import { channel } from 'node:diagnostics_channel';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { commandsOf, type HeldWrite } from './held-writes.ts';
import type { Around } from './row-store.ts';
import { StoreSession } from './store-session.ts';

/**
 * Sends the embedded store a command and returns its response, both as BSON. Rejects if the store has stopped. A
 * refusal is a response with `ok: 0`, as over a socket.
 */
export type StoreLink = { run(command: Uint8Array): Promise<Uint8Array> };

export type Reply = Readonly<Record<string, unknown>>;
type Command = Readonly<Record<string, unknown>>;
/** The reason why one document of a write was refused. */
type WriteError = { readonly errmsg?: string };
type Refusals = { readonly firstBatch: readonly WriteError[] };

/** Publishes each command, as `{ command, database }`. Counters listen to it; the product itself doesn't. */
export const storeCommands = channel('parley:store-command');

/** A transaction that conflicts with another one is retried for this long, the same as in the driver. */
const retriesForMs = 120_000;
const firstPauseMs = 2;
const longestPauseMs = 50;
const { BSON } = mongo;

/** Identifies a session to the store (`lsid`). Its transactions run one after another, with rising numbers. */
class SessionName {
  readonly lsid = { id: new mongo.Binary(randomBytes(16), mongo.Binary.SUBTYPE_UUID) };
  number = 0;
}

/** A transaction over the link. */
class LinkedSession extends StoreSession {
  private readonly endings: (() => void)[] = [];
  private state: 'new' | 'begun' | 'over' = 'over';
  private held: HeldWrite[] = [];

  constructor(
    private readonly name: SessionName,
    private readonly database: string,
    private readonly send: (command: Command) => Promise<Reply>,
  ) {
    super();
  }

  get isBegun(): boolean {
    return this.state === 'begun';
  }

  whenEnded(act: () => void): void {
    this.endings.push(act);
  }

  /** Begins another attempt, which gets a number of its own. */
  begin(): void {
    this.name.number += 1;
    this.state = 'new';
    this.held = [];
  }

  hold(write: HeldWrite): void {
    if (this.state === 'over') throw new Error('This transaction has ended.');
    this.held.push(write);
  }

  holds(database: string, collection: unknown): boolean {
    return this.held.some((write) => write.database === database && write.collection === collection);
  }

  async sendHeld(): Promise<void> {
    const held = this.held.splice(0);
    if (held.length === 0) return;
    const comment = held.find((write) => write.comment)?.comment;
    for (const command of commandsOf(held, this.database))
      await this.send({ ...command, ...this.envelope(), ...(comment && { comment }) });
  }

  /**
   * Returns the fields that each command of the transaction carries; the first command starts the transaction in the
   * store.
   */
  envelope(): Command {
    if (this.state === 'over') throw new Error('This transaction has ended.');
    const isFirst = this.state === 'new';
    this.state = 'begun';
    return {
      lsid: this.name.lsid,
      txnNumber: this.name.number,
      autocommit: false,
      ...(isFirst && { startTransaction: true }),
    };
  }

  stop(): void {
    this.state = 'over';
  }

  tellEnd(): void {
    for (const act of this.endings.splice(0)) act();
  }
}

/** Accesses one database of the embedded store over its link. */
export class LinkedStore {
  /** Session names that no transaction uses now. They are reused, because the store keeps a response for each name. */
  private readonly freeNames: SessionName[] = [];

  constructor(
    private readonly link: StoreLink,
    private readonly database: string,
  ) {}

  /**
   * Holds back a write that can be sent later, until the transaction reads the same collection or ends. Returns whether
   * it is held back.
   */
  hold(write: Omit<HeldWrite, 'database'>, { session, comment, isLater }: Around): boolean {
    if (!isLater || !session) return false;
    ownSession(session).hold({ ...write, database: this.database, comment });
    return true;
  }

  /** Sends a command, and throws the same errors as the driver. */
  async run(command: Command, { session: given, comment }: Around = {}): Promise<Reply> {
    const session = given && ownSession(given);
    const [collection] = Object.values(command);
    if (session?.holds(this.database, collection)) await session.sendHeld();
    return this.send({ ...command, $db: this.database, ...session?.envelope(), ...(comment && { comment }) });
  }

  /** Runs `work` in one transaction; after a conflict, again from its beginning. */
  async transaction<Result>(work: (session: StoreSession) => Promise<Result>): Promise<Result> {
    const name = this.freeNames.pop() ?? new SessionName();
    const session = new LinkedSession(name, this.database, (command) => this.send(command));
    try {
      return await this.attempts(session, work);
    } finally {
      session.tellEnd();
      this.freeNames.push(name);
    }
  }

  private async attempts<Result>(
    session: LinkedSession,
    work: (session: StoreSession) => Promise<Result>,
  ): Promise<Result> {
    const until = performance.now() + retriesForMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.attempt(session, work);
      } catch (error) {
        const isPassing = error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
        if (!isPassing || performance.now() >= until) throw error;
        await wait(pauseMs * Math.random());
      }
    }
  }

  private async attempt<Result>(
    session: LinkedSession,
    work: (session: StoreSession) => Promise<Result>,
  ): Promise<Result> {
    session.begin();
    try {
      const result = await work(session);
      await session.sendHeld();
      await this.end(session, 'commitTransaction');
      return result;
    } catch (error) {
      await this.end(session, 'abortTransaction').catch(() => undefined);
      throw error;
    } finally {
      session.stop();
    }
  }

  /** Ends the transaction. Sends nothing if the transaction has sent no command. */
  private async end(session: LinkedSession, how: 'commitTransaction' | 'abortTransaction'): Promise<void> {
    if (!session.isBegun) return;
    const envelope = session.envelope();
    session.stop();
    await this.send({ [how]: 1, $db: 'admin', ...envelope });
  }

  private async send(command: Command): Promise<Reply> {
    if (storeCommands.hasSubscribers) storeCommands.publish({ command, database: this.database });
    const answer = await this.link.run(BSON.serialize(command, { ignoreUndefined: false })).catch((cause: unknown) => {
      throw new mongo.MongoNetworkError('The store has stopped.', { cause: cause as Error });
    });
    const reply = BSON.deserialize(answer) as Reply;
    if (reply['ok'] !== 1) throw new mongo.MongoServerError(reply);
    const [refused] = (
      reply['nErrors'] ? (reply['cursor'] as Refusals).firstBatch : (reply['writeErrors'] ?? [])
    ) as WriteError[];
    if (refused) throw new mongo.MongoServerError({ ...refused, message: refused.errmsg });
    return reply;
  }
}

function ownSession(session: StoreSession): LinkedSession {
  if (!(session instanceof LinkedSession)) throw new Error('This transaction is of another store.');
  return session;
}
