import { fail, StoreError } from '../errors.ts';
import { firstNameOf, getField, isNumber, numberOf, stringOf, types, type Value } from '../bson/value.ts';
import { aggregateCommands } from '../commands/aggregate.ts';
import { Args } from '../commands/args.ts';
import { ddlCommands } from '../commands/ddl-commands.ts';
import { readCommands } from '../commands/read-commands.ts';
import { serverCommands, sessionIdOf } from '../commands/server-commands.ts';
import { writeCommands, writeConcernError } from '../commands/write-commands.ts';
import type { WireRequest } from '../wire/message.ts';
import type { Command, CommandContext, Engine, Reply } from './context.ts';
import { noRoom, wholly, type Executor, type Outcome, type Pause, type Task } from './executor.ts';
import type { Failure } from './fail-points.ts';
import { encodeReply, errorReply, withWriteConcernError } from './reply-documents.ts';
import type { Session } from './sessions.ts';

const commands = new Map<string, Command>(
  Object.entries({ ...serverCommands, ...readCommands, ...writeCommands, ...aggregateCommands, ...ddlCommands }),
);

/** What may need more room; the rest either frees some or only ends what was let in. */
const growing: ReadonlySet<string> = new Set(['insert', 'update', 'bulkWrite', 'findAndModify']);

/** How a command says that it leads to more room. */
const freeingComment = 'frees space';

type Envelope = {
  name: string;
  command: Command;
  args: Args;
  database: string;
  session: Session | undefined;
  txnNumber: number | undefined;
  isTransaction: boolean;
  isStart: boolean;
  concern: Value | undefined;
};

/** Turns requests into tasks and tasks' results into answers. */
export class Dispatcher {
  private readonly engine: Engine;
  private readonly executor: Executor;
  private isClosing = false;

  constructor(engine: Engine, executor: Executor) {
    this.engine = engine;
    this.executor = executor;
  }

  /** From now on every command is refused. */
  close(): void {
    this.isClosing = true;
  }

  /** Runs a command; `reply` gets the answer, or undefined when the connection shall be cut. */
  dispatch(request: WireRequest, reply: (document: Buffer | undefined) => void): void {
    const name = firstNameOf(request.body);
    this.attempt(reply, () => {
      if (this.isClosing) fail('InterruptedAtShutdown', 'the store is shutting down');
      if (name === 'configureFailPoint' && this.engine.failPoints) {
        this.engine.failPoints.configure(request.body);
        return reply(encodeReply({}));
      }
      const failure = this.engine.failPoints?.take(name);
      if (failure) return this.dispatchFailing(request, { name, failure, reply });
      this.run(this.open(request, name), reply);
    });
  }

  private attempt(reply: (document: Buffer) => void, act: () => void): void {
    try {
      act();
    } catch (error) {
      reply(errorReply(error));
    }
  }

  private dispatchFailing(
    request: WireRequest,
    { name, failure, reply }: { name: string; failure: Failure; reply: (document: Buffer | undefined) => void },
  ): void {
    if (failure.blockMs > 0) {
      const rest = { ...failure, blockMs: 0 };
      setTimeout(
        () => this.attempt(reply, () => this.dispatchFailing(request, { name, failure: rest, reply })),
        failure.blockMs,
      );
      return;
    }
    if (failure.closesConnection) return reply(undefined);
    if (failure.error) {
      failure.error.labels = failure.labels ?? errorLabels(failure.error.code, this.open(request, name));
      return reply(errorReply(failure.error));
    }
    this.run(this.open(request, name), (document) => reply(document && withWriteConcernError(document, failure)));
  }

  private open(request: WireRequest, name: string): Envelope {
    const command = commands.get(name);
    if (!command) return fail('CommandNotFound', `no such command: '${name}'`);
    const args = new Args(name, request.body, request.sequences);
    args.allowOnly(command.fields);
    const database =
      request.legacyDatabase ?? args.string('$db') ?? fail(40414, `BSON field '$db' is missing but a required field`);
    const lsid = args.document('lsid');
    const session = lsid && this.engine.sessions.use(sessionIdOf(lsid));
    const isTransaction = args.has('autocommit');
    if (isTransaction && args.boolean('autocommit', true)) fail('InvalidOptions', 'The field autocommit must be false');
    const txnNumber = args.number('txnNumber');
    if (txnNumber !== undefined && !session)
      fail('InvalidOptions', 'Transaction number requires a session ID to also be specified');
    if (isTransaction && txnNumber === undefined)
      fail('InvalidOptions', "'autocommit' field requires a transaction number to also be specified");
    const concern = checkConcerns(args, isTransaction, name);
    return {
      concern,
      name,
      command,
      args,
      database,
      session,
      txnNumber,
      isTransaction,
      isStart: args.boolean('startTransaction', false),
    };
  }

  private run(envelope: Envelope, reply: (document: Buffer) => void): void {
    const maxTimeMs = envelope.args.count('maxTimeMS') ?? 0;
    const deadline =
      maxTimeMs > 0 && envelope.name !== 'getMore' ? performance.now() + maxTimeMs : Number.POSITIVE_INFINITY;
    const isWrite =
      envelope.command.isWrite === true && (!envelope.isTransaction || envelope.name === 'commitTransaction');
    if (envelope.name === 'commitTransaction') this.engine.sessions.announceEnd(envelope.session, envelope.txnNumber);
    const done = (outcome: Outcome): void => reply('reply' in outcome ? outcome.reply : errorReply(outcome.error));
    this.executor.submit(this.task(envelope), { name: envelope.name, isWrite, deadline }, done);
  }

  /** What frees space in the end, and what some databases write, may use the reserve. */
  private hasRoomFor({ name, args, database, session, txnNumber, isTransaction }: Envelope): boolean {
    const isMarked = args.isText('comment', freeingComment);
    if (isMarked && session && isTransaction) session.freeingTxn = txnNumber;
    const frees = isMarked || (isTransaction && txnNumber !== undefined && session?.freeingTxn === txnNumber);
    return !growing.has(name) || frees || this.engine.store.reserve?.admits(database) !== false;
  }

  private *task(envelope: Envelope): Task {
    const { session, txnNumber } = envelope;
    try {
      const isNumbered = !envelope.isTransaction && txnNumber !== undefined;
      if (isNumbered) yield* this.waitForSame(session!, envelope);
      if (isNumbered && !envelope.command.isRetryable)
        fail('NotImplemented', `retryable writes are not supported for ${envelope.name}`);
      const kept = isNumbered || envelope.name === 'commitTransaction' ? this.keptReply(envelope) : undefined;
      if (kept) return kept;
      if (!this.hasRoomFor(envelope)) throw noRoom();
      const unmet = envelope.command.isWrite ? writeConcernError(envelope.concern) : undefined;
      const extra: Reply = unmet
        ? { writeConcernError: { code: unmet.code, codeName: unmet.codeName, errmsg: unmet.message } }
        : {};
      if (envelope.isTransaction && envelope.isStart) yield* this.untilDrained();
      const context = this.contextFor(envelope);
      const run =
        isNumbered && hasSeveralStatements(envelope.args)
          ? wholly(this.engine.store, () => envelope.command.run(context))
          : envelope.command.run(context);
      const reply = encodeReply({ ...(yield* run), ...extra });
      if (isNumbered) this.engine.store.replies.keep(session!.id, { txnNumber, reply });
      return reply;
    } catch (error) {
      if (!(error instanceof StoreError)) {
        if (envelope.isTransaction && session) this.engine.sessions.abort(session);
        throw error;
      }
      if (envelope.isTransaction && session && endsTransaction(envelope, error)) this.engine.sessions.abort(session);
      return errorReply(error, errorLabels(error.code, envelope));
    } finally {
      if (session?.running?.envelope === envelope) session.running.end();
    }
  }

  /** A write that is asked for again while it still runs must not run twice. */
  private *waitForSame(session: Session, envelope: Envelope): Generator<Pause, void, void> {
    while (session.running?.txnNumber === envelope.txnNumber) yield { until: session.running!.ended };
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const running = {
      envelope,
      txnNumber: envelope.txnNumber!,
      ended,
      end: () => ((session.running = undefined), end()),
    };
    session.running = running;
  }

  private *untilDrained(): Generator<Pause, void, void> {
    for (let drained = this.engine.store.waitsForDrain; drained; drained = this.engine.store.waitsForDrain)
      yield { until: drained };
  }

  private keptReply({ session, txnNumber, name }: Envelope): Buffer | undefined {
    if (!session || txnNumber === undefined) return undefined;
    const kept = this.engine.store.replies.find(session.id);
    if (kept?.txnNumber === txnNumber) return kept.reply;
    if (name === 'commitTransaction')
      return session.txnNumber === txnNumber && session.state === 'committed' ? encodeReply({}) : undefined;
    this.engine.sessions.useNumber(session, txnNumber);
    return undefined;
  }

  private contextFor(envelope: Envelope): CommandContext {
    const { args, database, session, txnNumber } = envelope;
    const { sessions, store } = this.engine;
    const context: CommandContext = {
      engine: this.engine,
      database,
      args,
      target: store.direct,
      session,
      isInTransaction: false,
      txnNumber,
      written: 0,
    };
    if (!envelope.isTransaction) {
      if (envelope.name === 'commitTransaction' || envelope.name === 'abortTransaction')
        fail('InvalidOptions', `${envelope.name} must be run within a transaction`);
      return context;
    }
    if (!envelope.command.isAllowedInTransaction) {
      fail('OperationNotSupportedInTransaction', `Cannot run '${envelope.name}' in a multi-document transaction.`);
    }
    if (['admin', 'config', 'local'].includes(database) && !envelope.name.endsWith('Transaction')) {
      fail(
        'OperationNotSupportedInTransaction',
        `Cannot run command against the '${database}' database in a transaction.`,
      );
    }
    const target = envelope.isStart ? sessions.start(session!, txnNumber!) : sessions.resume(session!, txnNumber!);
    return { ...context, target, isInTransaction: true };
  }
}

const transientCodes: ReadonlySet<number> = new Set([24, 112, 246, 251, 267]);
const retryableCodes: ReadonlySet<number> = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/** The labels by which clients decide whether to try again. */
function errorLabels(code: number, envelope: Pick<Envelope, 'name' | 'isTransaction' | 'txnNumber'>): string[] {
  const isEnd = envelope.name === 'commitTransaction' || envelope.name === 'abortTransaction';
  const labels: string[] = [];
  if (envelope.isTransaction && (transientCodes.has(code) || (retryableCodes.has(code) && !isEnd)))
    labels.push('TransientTransactionError');
  if (retryableCodes.has(code) && (isEnd || (!envelope.isTransaction && envelope.txnNumber !== undefined)))
    labels.push('RetryableWriteError');
  return labels;
}

function hasSeveralStatements(args: Args): boolean {
  return ['documents', 'updates', 'deletes'].some((name) => (args.list(name)?.length ?? 0) > 1);
}

/** Whether an error ends the transaction it happened in. */
function endsTransaction(envelope: Envelope, error: StoreError): boolean {
  if (
    error.codeName === 'NoSuchTransaction' ||
    error.codeName === 'TransactionTooOld' ||
    error.codeName === 'TransactionCommitted'
  )
    return false;
  return envelope.session?.txnNumber === envelope.txnNumber;
}

function checkConcerns(args: Args, isTransaction: boolean, name: string): Value | undefined {
  const level = args.document('readConcern');
  const levelName = level && getField(level, 'level');
  if (levelName && levelName.type === types.string) {
    const text = stringOf(levelName);
    if (!['local', 'available', 'majority', 'linearizable', 'snapshot'].includes(text))
      fail(
        'FailedToParse',
        `readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or 'snapshot'`,
      );
    if (text === 'snapshot' && !isTransaction)
      fail('InvalidOptions', 'readConcern level snapshot is supported inside a transaction only');
  }
  if (level && getField(level, 'atClusterTime'))
    fail('InvalidOptions', 'readConcern.atClusterTime is not supported by this store');
  const concern = args.document('writeConcern');
  if (concern && isTransaction && !name.endsWith('Transaction'))
    fail('InvalidOptions', 'writeConcern is not allowed within a multi-statement transaction');
  const w = concern && getField(concern, 'w');
  if (w && isNumber(w) && numberOf(w) === 0 && isTransaction)
    fail('InvalidOptions', 'unacknowledged writes are not allowed in a transaction');
  return concern;
}
