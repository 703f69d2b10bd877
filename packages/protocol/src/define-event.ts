import { z } from 'zod';
import { parseKnown } from './parse-known.ts';
import { eventId, orgId } from './ids.ts';
import type { EventWord, Word } from './vocabulary.ts';

/** A service that publishes events. */
export type Publisher = Word<'publisher'>;
/** Names the topic of a publishing service; each has one. */
export type TopicOf<Service extends string> = `parley.${Service}.events.v1`;
export type Topic = TopicOf<Publisher>;
export const topicOf = <const Service extends string>(service: Service): TopicOf<Service> =>
  `parley.${service}.events.v1`;

/**
 * CloudEvents 1.0 in structured form. `subject` is the ordering key; `sequence` has no gaps within a subject; the
 * extension `tenantid` has the tenant. Events carry ids, sequence and numbers, never message text, file names or
 * prompts. Unknown fields are dropped, because two versions read each other's events during an update.
 */
export const eventEnvelope = z.object({
  specversion: z.literal('1.0'),
  id: eventId,
  source: z.string(),
  type: z.string(),
  time: z.iso.datetime({ precision: 3 }),
  subject: z.string(),
  tenantid: orgId.nullable(),
  sequence: z.number().int().positive(),
  /** The actor: `person:usr_…`, `service:chat` or `job:<name>`. Null in events from before this field. */
  actor: z.string().nullable().default(null),
  /** The person for whom a service or a job did it, in the same form. */
  onbehalfof: z.string().nullable().default(null),
  /** The same in everything that one request caused. */
  correlationid: z.string(),
  /** The event that caused this one; null for a request or a job. */
  causationid: z.string().nullable(),
  traceparent: z.string().nullable(),
  /** Republished for consumers that haven't had it: nothing happened now. */
  snapshot: z.literal(true).optional(),
  data: z.unknown(),
});
export type EventEnvelope<Data = unknown> = Omit<z.infer<typeof eventEnvelope>, 'data'> & { data: Data };

/**
 * Names the tabs that are notified of an event immediately, and the resources it changes there. `person`: all tabs of `userId`.
 * `organisation`: those of `orgId`, with a `permission` only of people who have it. `everybody`: all tabs of the
 * installation. Contracts add rules of their own (`liveRule`). Null: no screen changes.
 */
export type LiveRule<Data> =
  | ResourceRule<'person', [Data] extends [{ userId: unknown }] ? 'person' : never>
  | ResourceRule<'organisation', [Data] extends [{ orgId: unknown }] ? 'organisation' : never>
  | ResourceRule<'everybody', 'everybody'>
  | EventWord<Data, 'liveRule'>
  | null;
type ResourceRule<Room, Allowed> = {
  readonly room: Room & Allowed;
  readonly permission?: Word<'permission'>;
  readonly resources: readonly Word<'resource'>[];
};

/** A rule for any data: `never` has all fields, so definitions without their type have one. */
type AnyLiveRule = LiveRule<never>;

export type EventDefinition<
  Data extends z.ZodType = z.ZodType,
  Type extends string = string,
  Live extends AnyLiveRule = AnyLiveRule,
> = {
  readonly type: Type;
  readonly topic: Topic;
  readonly data: Data;
  /** The field whose value is the ordering key, the envelope's `subject`. */
  readonly key: string;
  readonly live: Live;
  /** The audit rule, or the reason why there is none. */
  readonly audit: EventWord<z.output<Data>, 'audit'>;
  /**
   * Fields that identify the event together with type and key. Its id follows from them, so consumers recognise it when
   * it is republished. Null: each publication is an event of its own. Changing it is a breaking change.
   */
  readonly identity: readonly string[] | null;
  /** Public fields, in the organisation's event stream; null: the event isn't public. */
  readonly outside: readonly string[] | null;
  /** Fields that aren't public if the event's data matches. */
  readonly withheld: Withheld<z.output<Data>> | null;
  /** Its types in earlier versions, which are read as this one. */
  readonly formerTypes: readonly string[];
  /** Returns the event with its data checked; ignores unknown fields and throws on anything else that doesn't fit. */
  parse(event: EventEnvelope): EventEnvelope<z.output<Data>>;
};

/** Its names in earlier versions, by which outboxes, logs and dead letters of those are read. */
type Former<Data> = {
  readonly type?: `${string}.v${number}`;
  /** Today's fields by their former names. */
  readonly fields?: Readonly<Record<string, keyof Data & string>>;
};

/** Fields that are public only if the event's data doesn't match. */
type Withheld<Data> = { readonly fields: readonly (keyof Data & string)[]; readonly where: (data: Data) => boolean };

type EventSpec<Data extends z.ZodType, Live> = {
  readonly data: Data;
  readonly key: Extract<keyof z.output<Data>, string>;
  readonly live: Live;
  /**
   * The audit rule, or the reason why there is none. A pure function of the data. Org appends what it returns to the
   * organisation's log. It goes to no socket and no program.
   */
  readonly audit: EventWord<z.output<Data>, 'audit'>;
  readonly identity?: readonly Extract<keyof z.output<Data>, string>[];
  /**
   * Public fields: ids, numbers and states, never text that people typed, nor who asked for an answer. Missing: the
   * event isn't public. Fields are only added.
   */
  readonly outside?: readonly Extract<keyof z.output<Data>, string>[];
  readonly withheld?: Withheld<z.output<Data>>;
  /** Kept while upgrades from a version with that name are supported. */
  readonly formerly?: Former<z.output<Data>>;
};

/**
 * Declares an event type such as `membership.added.v1` of one service. Within a version only optional fields are added.
 * Data with an `orgId` belongs to that tenant.
 */
export function defineEvent<
  const Type extends `${string}.v${number}`,
  Data extends z.ZodType,
  const Live extends LiveRule<z.output<Data>>,
>(
  type: Type,
  publisher: Publisher,
  { data, key, live, audit, identity, outside, withheld, formerly = {} }: EventSpec<Data, Live>,
): EventDefinition<Data, Type, Live> {
  const parse = (event: EventEnvelope) => ({
    ...event,
    type,
    data: parseKnown(data, asNow(event.data, formerly.fields)),
  });
  const [known, told] = [identity ?? null, outside ?? null];
  return {
    type,
    topic: topicOf(publisher),
    data,
    key,
    live,
    audit,
    identity: known,
    outside: told,
    withheld: withheld ?? null,
    formerTypes: formerly.type === undefined ? [] : [formerly.type],
    parse,
  };
}

/** Returns whether the definition reads events of this type, also of earlier versions. */
export const reads = ({ type, formerTypes }: Pick<EventDefinition, 'type' | 'formerTypes'>, read: string): boolean =>
  type === read || formerTypes.includes(read);

function asNow(data: unknown, fields: Readonly<Record<string, string>> | undefined): unknown {
  if (!fields || typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([field, value]) => [fields[field] ?? field, value as unknown]));
}

export type DataOf<Definition> = Definition extends { readonly data: infer Data extends z.ZodType }
  ? z.output<Data>
  : never;
