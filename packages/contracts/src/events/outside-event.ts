import { eventId, orgId, Problem, timestamp, type EventEnvelope, type OrgId } from '@parley/protocol';
import { z } from 'zod';
import { outsideDefinitions } from './events.ts';

/**
 * Describes an event as webhooks and streams send it, a CloudEvent 1.0. It doesn't say who acted or what led to it.
 * `sequence` has no holes within the organisation's stream, so a reader without a filter can see that nothing is
 * missing.
 */
export const outsideEvent = z.object({
  specversion: z.literal('1.0'),
  /** Identifies the event: a reader that has seen the id has seen the event. */
  id: eventId,
  source: z.string(),
  type: z.string(),
  time: timestamp,
  subject: z.string(),
  tenantid: orgId,
  sequence: z.number().int().positive(),
  datacontenttype: z.literal('application/json'),
  data: z.record(z.string(), z.unknown()),
});
export type OutsideEvent = z.infer<typeof outsideEvent>;

/** Sent in the stream when events between two positions are no longer kept. The reader has to reload its data. */
export const streamGap = { type: 'stream.gap.v1', data: z.object({ from: z.string(), to: z.string() }) } as const;

const definitions = new Map(outsideDefinitions.map((definition) => [definition.type, definition]));
export const outsideTypes: readonly string[] = [...definitions.keys()];

/** Returns the public form of the event at a position of the organisation's stream; null if the event isn't public. */
export function toldOutside(event: EventEnvelope, sequence: number): OutsideEvent | null {
  const definition = definitions.get(event.type);
  if (!definition?.outside || event.tenantid === null) return null;
  const { outside, withheld } = definition;
  const inside = withheld?.where(event.data) ? withheld.fields : [];
  const fields = outside.filter((name) => !(inside as readonly string[]).includes(name));
  const { id, source, type, time, subject, tenantid } = event;
  const own = event.data as Readonly<Record<string, unknown>>;
  const data = Object.fromEntries(fields.filter((name) => own[name] !== undefined).map((name) => [name, own[name]]));
  const told = { id, source, type, time, subject, tenantid, sequence };
  return { specversion: '1.0', ...told, datacontenttype: 'application/json', data };
}

/** Returns the types that match a filter: `group.changed.v1` matches one, `group.*` all with that beginning. */
export function typesNamed(filter: string): readonly string[] {
  const start = filter.endsWith('.*') ? filter.slice(0, -1) : null;
  return outsideTypes.filter((type) => type === filter || (start !== null && type.startsWith(start)));
}

/** Throws `platform.invalid-request` if a filter matches no type. `path`: where the filter is in the request. */
export function checkTypes(filters: readonly string[], path: string): void {
  if (filters.every((filter) => typesNamed(filter).length > 0)) return;
  throw new Problem('platform.invalid-request', { errors: [{ path, message: 'no type of event is called so' }] });
}

/**
 * Returns the cursor of a position in an organisation's event stream: a reader with this cursor has all events up to
 * the position. Readers store the cursor and send it back. It begins with the organisation, so another organisation's
 * cursor is recognised.
 */
export const cursorOf = (org: OrgId, sequence: number): string => `${org}.${sequence}`;

/** Returns the position of a cursor; null if the cursor isn't one of this organisation. */
export function placeOf(org: OrgId, cursor: string): number | null {
  const [named, place = ''] = cursor.split('.');
  return named === org && /^\d{1,15}$/.test(place) && cursor === `${named}.${place}` ? Number(place) : null;
}
