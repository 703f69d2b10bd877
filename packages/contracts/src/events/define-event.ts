import { z } from 'zod';
import { eventId, orgId } from '../ids.ts';

/** The topics there are: one per publishing service, plus the doorbell of the generation queue. */
export const topics = {
  auth: 'parley.auth.events.v1',
  org: 'parley.org.events.v1',
  chat: 'parley.chat.events.v1',
} as const;
export type Topic = (typeof topics)[keyof typeof topics];

/**
 * CloudEvents 1.0 in structured form. `subject` is the ordering key; `sequence` is contiguous per subject; the tenant travels
 * in the extension `tenantid`. Events carry ids, sequence and numbers, never message text, file names or prompts.
 */
export const eventEnvelope = z.strictObject({
  specversion: z.literal('1.0'),
  id: eventId,
  source: z.string(),
  type: z.string(),
  time: z.iso.datetime({ precision: 3 }),
  subject: z.string(),
  tenantid: orgId.nullable(),
  sequence: z.number().int().positive(),
  correlationid: z.string(),
  causationid: z.string().nullable(),
  traceparent: z.string().nullable(),
  data: z.unknown(),
});
export type EventEnvelope<Data = unknown> = Omit<z.infer<typeof eventEnvelope>, 'data'> & { data: Data };

export type EventDefinition<Data extends z.ZodType = z.ZodType> = {
  readonly type: string;
  readonly topic: Topic;
  readonly data: Data;
  /** The event with its data checked; throws on anything that does not fit. */
  parse(event: EventEnvelope): EventEnvelope<z.output<Data>>;
};

/** Declares an event type such as `membership.added.v1`. Within a version only optional fields are added. */
export function defineEvent<Data extends z.ZodType>(type: `${string}.v${number}`, topic: Topic, data: Data): EventDefinition<Data> {
  return { type, topic, data, parse: (event) => ({ ...event, data: data.parse(event.data) }) };
}

export type DataOf<Definition> = Definition extends EventDefinition<infer Data> ? z.output<Data> : never;
