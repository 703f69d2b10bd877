import type { EventDefinition } from '@parley/protocol';
import { z } from 'zod';
import { outsideDefinitions } from './events.ts';
import { outsideEvent, streamGap } from './outside-event.ts';

type Told = { readonly type: string; readonly data: z.ZodType };

/** `io: 'input'` keeps objects open in the JSON schema: fields that this version doesn't know are allowed. */
const schemaOf = (schema: z.ZodType): object => {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return rest;
};

function toldOf({ type, data, outside, withheld }: EventDefinition): Told {
  const own = (data as z.ZodObject).shape as Record<string, z.ZodType>;
  const isSure = (field: string): boolean => !(withheld?.fields as readonly string[] | undefined)?.includes(field);
  const shape = Object.fromEntries(
    (outside ?? []).map((field) => [field, isSure(field) ? own[field]! : own[field]!.optional()]),
  );
  return { type, data: z.object(shape as z.ZodRawShape) };
}

const messageOf = ({ type, data }: Told) => ({
  name: type,
  title: type,
  contentType: 'application/cloudevents+json',
  payload: schemaOf(outsideEvent.extend({ type: z.literal(type), data, ...(type === streamGap.type && gapFields) })),
});
/**
 * Replaces `id` and `sequence` for a gap, which is not an event: it has no sequence number of its own and can come
 * before the first event.
 */
const gapFields = { id: z.string(), sequence: z.number().int().nonnegative() };

/** Builds the AsyncAPI 3 document of the public events from their contracts. */
export function asyncApi(): Record<string, unknown> {
  const told: readonly Told[] = [...outsideDefinitions.map(toldOf), streamGap];
  const messages = Object.fromEntries(told.map((one) => [one.type, messageOf(one)]));
  const names = told.map(({ type }) => type);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Parley events',
      version: '1',
      description:
        'What happens in one organisation, as CloudEvents 1.0 over server-sent events, and to webhooks. Within a version of an event fields are only added: ignore those that you do not know.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/cloudevents+json',
    servers: {
      parley: {
        host: '{host}',
        protocol: 'https',
        variables: { host: { description: 'Where this Parley is reached.' } },
        security: [{ $ref: '#/components/securitySchemes/apiKey' }],
      },
    },
    channels: {
      events: {
        address: '/v1/events',
        servers: [{ $ref: '#/servers/parley' }],
        messages: Object.fromEntries(names.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
        bindings: { http: { bindingVersion: '0.3.0' } },
      },
    },
    operations: {
      tellEvents: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        bindings: { http: { method: 'GET', query: schemaOf(query), bindingVersion: '0.3.0' } },
        messages: names.map((type) => ({ $ref: `#/channels/events/messages/${type}` })),
      },
    },
    components: {
      messages,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with the right events:read.' },
      },
    },
  };
}

const query = z.object({
  cursor: z.string().optional().describe('Begins after it; 0 is the oldest that is kept. Last-Event-ID wins over it.'),
  type: z.string().optional().describe('Types with commas between; group.* is all that begin so.'),
  follow: z.enum(['true', 'false']).optional().describe('false ends after what is kept.'),
});
