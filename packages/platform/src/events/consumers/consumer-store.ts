import {
  jobScope,
  type Collection,
  type Mongo,
  type ReadOf,
  type RowOf,
  type ScopedRows,
  type Transaction,
} from '../../rows/mongo/index.ts';
import {
  deadLetterRows,
  inboxRows,
  parkedEventRows,
  parkedKeyRows,
  type DeadLetterRow,
  type LoggedEvent,
} from './consumer.collection.ts';

const scope = jobScope('handles events');

/** An open transaction, of a unit of work or a bare one. */
export type OpenTransaction = Pick<Transaction, 'session'>;
/** Returns the rows of a collection, as part of the transaction if there is one. */
type RowsOf<Definition extends Collection> = (
  tx?: OpenTransaction,
) => ScopedRows<RowOf<Definition>, ReadOf<Definition>>;

/** The collections behind a service's consumers, in the service's own database. */
export type ConsumerStore = {
  readonly inbox: RowsOf<typeof inboxRows>;
  readonly parkedKeys: RowsOf<typeof parkedKeyRows>;
  readonly parkedEvents: RowsOf<typeof parkedEventRows>;
  readonly deadLetters: RowsOf<typeof deadLetterRows>;
  /** Returns true if this process knows that no key is parked; false if other processes can park keys too. */
  isNoneParked(): Promise<boolean>;
  /** Runs a bare transaction; see `Mongo.transaction`. */
  transaction<Result>(act: (tx: OpenTransaction) => Promise<Result>): Promise<Result>;
};

/** Registers the collections. Call `Mongo.applyIndexes` afterwards to create them. */
export function consumerStoreOf(mongo: Mongo): ConsumerStore {
  const open = <Definition extends Collection>(definition: Definition): RowsOf<Definition> => {
    const rows = mongo.rows(definition);
    return (tx) => rows.within(scope, tx);
  };
  const parkedKeys = mongo.rows(parkedKeyRows);
  const isAlone = mongo.memoryOf(parkedKeyRows.name) !== null;
  return {
    inbox: open(inboxRows),
    parkedKeys: open(parkedKeyRows),
    parkedEvents: open(parkedEventRows),
    deadLetters: open(deadLetterRows),
    isNoneParked: async () =>
      isAlone && (await parkedKeys.recall(scope, 'none', async (rows) => !(await rows.exists({})))),
    transaction: (act) => mongo.transaction((session) => act({ session })),
  };
}

/** Returns the id of a parked event, of a dead letter, and of inbox rows of 0.3.0. */
export const consumedId = (consumer: string, eventId: string): string => `${consumer}|${eventId}`;
export const parkedKeyOf = (consumer: string, subject: string): string => `${consumer}|${subject}`;

/** Matches an identifier, such as an error code, and never a sentence. */
const word = /^[\w.-]{1,60}$/;

export type Failure = { readonly logged: LoggedEvent; readonly error: unknown };

/** Returns the error as a dead letter stores it: its message and stack, with those of its causes below. */
export function causeOf(error: unknown): DeadLetterRow['cause'] {
  if (!(error instanceof Error)) return { name: 'unknown', code: null, message: describe(error), stack: null };
  const chain: string[] = [];
  for (let link: unknown = error; link instanceof Error && chain.length < 5; link = link.cause)
    chain.push(link.stack ?? `${link.name}: ${link.message}`);
  const { code } = error as Error & { code?: unknown };
  const shownCode = typeof code === 'number' || (typeof code === 'string' && word.test(code)) ? String(code) : null;
  return { name: error.name, code: shownCode, message: error.message, stack: chain.join('\ncaused by: ') };
}

function describe(error: unknown): string {
  if (typeof error === 'string') return error;
  try {
    return JSON.stringify(error) ?? String(error);
  } catch {
    return String(error);
  }
}
