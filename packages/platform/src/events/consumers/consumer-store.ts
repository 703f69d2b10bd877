import type { Model } from 'mongoose';
import type { Memory, Mongo } from '../../rows/mongo/index.ts';
import {
  deadLetterSchema,
  inboxSchema,
  parkedEventSchema,
  parkedKeySchema,
  projectionOffsetSchema,
  type DeadLetterRow,
  type InboxRow,
  type LoggedEvent,
  type ParkedEventRow,
  type ParkedKeyRow,
  type ProjectionOffsetRow,
} from './consumer.schema.ts';

/** The collections behind a service's consumers, in the service's own database. */
export type ConsumerStore = {
  readonly mongo: Mongo;
  readonly inbox: Model<InboxRow>;
  readonly offsets: Model<ProjectionOffsetRow>;
  readonly parkedKeys: Model<ParkedKeyRow>;
  /** Whether there are any: inserting and deleting them goes through it. Null where other processes do that, too. */
  readonly parkedMemory: Memory | null;
  readonly parkedEvents: Model<ParkedEventRow>;
  readonly deadLetters: Model<DeadLetterRow>;
};

/** Registers the models; `Mongo.applyIndexes` after it makes the collections. */
export function consumerStoreOf(mongo: Mongo): ConsumerStore {
  return {
    mongo,
    inbox: mongo.model('EventInbox', inboxSchema),
    offsets: mongo.model('ProjectionOffset', projectionOffsetSchema),
    parkedKeys: mongo.model('ParkedKey', parkedKeySchema),
    parkedMemory: mongo.memoryOf(parkedKeySchema.get('collection')!),
    parkedEvents: mongo.model('ParkedEvent', parkedEventSchema),
    deadLetters: mongo.model('DeadLetter', deadLetterSchema),
  };
}

/** The id of a parked event, of a dead letter, and of inbox rows of 0.3.0. */
export const consumedId = (consumer: string, eventId: string): string => `${consumer}|${eventId}`;
export const parkedKeyOf = (consumer: string, subject: string): string => `${consumer}|${subject}`;

/** A word of a program, as codes are; sentences are none. */
const word = /^[\w.-]{1,60}$/;

export type Failure = { readonly logged: LoggedEvent; readonly error: unknown };

/** The error as a dead letter keeps it: its own message and stack, and those of its causes below. */
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
