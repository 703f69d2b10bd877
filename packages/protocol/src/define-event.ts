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
 * CloudEvents 1.0 in structured form. `subject` is the ordering key; `sequence` is contiguous per subject; the tenant
 * travels in the extension `tenantid`. Events carry ids, sequence and numbers, never message text, file names or
 * prompts. A field that this version does not know is dropped: during an update two versions read each other's events.
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
  /** Who did it: `person:usr_…`, `service:chat` or `job:<name>`. Null in events from before there was this field. */
  actor: z.string().nullable().default(null),
  /** The person for whom a service or a job did it, in the same form. */
  onbehalfof: z.string().nullable().default(null),
  /** The same in everything that one request led to. */
  correlationid: z.string(),
  /** The event that led to this one; null where a request or a job did. */
  causationid: z.string().nullable(),
  traceparent: z.string().nullable(),
  /** Told once more for who has not heard of it: nothing happened now. */
  snapshot: z.literal(true).optional(),
  data: z.unknown(),
});
export type EventEnvelope<Data = unknown> = Omit<z.infer<typeof eventEnvelope>, 'data'> & { data: Data };

/**
 * Who hears of an event at once, and what of theirs it makes old: `person` is all tabs of `userId`, `organisation` those
 * of `orgId`, with a `permission` only those of people who have it, `everybody` all tabs of the installation. Contracts add
 * rules of their own (`liveRule`). Null: nobody's screen changes.
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

/** A rule whatever the data, which `never` has all fields of: a definition whose type has been forgotten has one. */
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
  /** What the audit log says of it, or why it says nothing. */
  readonly audit: EventWord<z.output<Data>, 'audit'>;
  /**
   * The fields that, with type and key, make it this one event: its id follows from them, so that telling it again is
   * recognised. Null: each telling is an event of its own. Changing it is a break.
   */
  readonly identity: readonly string[] | null;
  /** The fields of the data that leave Parley in the organisation's event stream; null: the event stays inside. */
  readonly outside: readonly string[] | null;
  /** Where the event's data is like this, these fields of `outside` stay inside. */
  readonly withheld: Withheld<z.output<Data>> | null;
  /** The types that it had in earlier versions, which are read as this one. */
  readonly formerTypes: readonly string[];
  /** Returns the event with its data checked; ignores unknown fields and throws on anything else that doesn't fit. */
  parse(event: EventEnvelope): EventEnvelope<z.output<Data>>;
};

/** How earlier versions named it; what outboxes, logs and dead letters keep of them is read by these names. */
type Former<Data> = {
  readonly type?: `${string}.v${number}`;
  /** The fields of now, by their former names. */
  readonly fields?: Readonly<Record<string, keyof Data & string>>;
};

/** Fields that leave Parley only where the event's data isn't like this. */
type Withheld<Data> = { readonly fields: readonly (keyof Data & string)[]; readonly where: (data: Data) => boolean };

type EventSpec<Data extends z.ZodType, Live> = {
  readonly data: Data;
  readonly key: Extract<keyof z.output<Data>, string>;
  readonly live: Live;
  /**
   * What the audit log says of it; or, in words, why it says nothing. A pure function of the data: org appends what it
   * returns, in the organisation's log only. It goes to no socket and to no program.
   */
  readonly audit: EventWord<z.output<Data>, 'audit'>;
  readonly identity?: readonly Extract<keyof z.output<Data>, string>[];
  /**
   * What programs of the organisation are told of it: ids, numbers and states, never words that people typed, nor who
   * asked for an answer. Left out, the event stays inside. Fields are only added.
   */
  readonly outside?: readonly Extract<keyof z.output<Data>, string>[];
  readonly withheld?: Withheld<z.output<Data>>;
  /** For as long as upgrades from a version that named it so are supported. */
  readonly formerly?: Former<z.output<Data>>;
};

/**
 * Declares an event type such as `membership.added.v1`, published by one service. Within a version only optional fields
 * are added. Data with an `orgId` belongs to that tenant.
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
