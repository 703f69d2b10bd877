import { eventId, orgId, Problem, timestamp, type EventEnvelope, type OrgId } from '@parley/protocol';
import { z } from 'zod';
import { outsideDefinitions } from './events.ts';

/**
 * What programs outside are told, a CloudEvent 1.0: who acted and what led to it stay inside. `sequence` is contiguous in
 * the organisation's stream, so that whoever takes no filter sees for themselves that nothing is missing.
 */
export const outsideEvent = z.object({
  specversion: z.literal('1.0'),
  /** Known once: whoever has seen it has seen the event. */
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

/** Told in the stream where events between two places are not kept any more: read what you show again. */
export const streamGap = { type: 'stream.gap.v1', data: z.object({ from: z.string(), to: z.string() }) } as const;

const definitions = new Map(outsideDefinitions.map((definition) => [definition.type, definition]));
export const outsideTypes: readonly string[] = [...definitions.keys()];

/** The event as it leaves Parley, at its place in the organisation's stream; null where it stays inside. */
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

/** The types that a filter names: `group.changed.v1` one, `group.*` all that begin so. */
export function typesNamed(filter: string): readonly string[] {
  const start = filter.endsWith('.*') ? filter.slice(0, -1) : null;
  return outsideTypes.filter((type) => type === filter || (start !== null && type.startsWith(start)));
}

/** `platform.invalid-request` where a filter names no type; `path` is where it stands in the request. */
export function checkTypes(filters: readonly string[], path: string): void {
  if (filters.every((filter) => typesNamed(filter).length > 0)) return;
  throw new Problem('platform.invalid-request', { errors: [{ path, message: 'no type of event is called so' }] });
}

/**
 * A place in the stream of an organisation: what came until then has been told. Readers keep it and give it back; those
 * of another organisation are known by their beginning.
 */
export const cursorOf = (org: OrgId, sequence: number): string => `${org}.${sequence}`;

/** The place that a cursor names; null where it is none of this organisation. */
export function placeOf(org: OrgId, cursor: string): number | null {
  const [named, place = ''] = cursor.split('.');
  return named === org && /^\d{1,15}$/.test(place) && cursor === `${named}.${place}` ? Number(place) : null;
}
