import type { EventDefinition } from '@parley/protocol';
import * as auth from '../services/auth/auth.ts';
import * as billing from '../services/billing/billing.ts';
import * as chat from '../services/chat/chat.ts';
import * as monitoring from '../services/monitoring/monitoring.ts';
import * as org from '../services/org/org.ts';

type Exported = typeof auth & typeof chat & typeof org & typeof billing & typeof monitoring;
type EventsOf<Parts> = {
  [
    Name in keyof Parts as Parts[Name] extends { readonly topic: string; readonly type: string } ? Name : never
  ]: Parts[Name];
};
const isEvent = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'topic' in part && 'type' in part;

/** Holds every event by name, as the files of the services export them. */
export const allEvents = Object.fromEntries(
  Object.entries({ ...auth, ...org, ...chat, ...billing, ...monitoring }).filter(([, part]) => isEvent(part)),
) as EventsOf<Exported>;
export const eventDefinitions = Object.values(allEvents) as unknown as EventDefinition[];

/** Lists the events that organisations can read as a stream or get as webhooks. */
export const outsideDefinitions = eventDefinitions.filter(({ outside }) => outside !== null);

/** Lists the events with an audit rule. */
export const auditedDefinitions = eventDefinitions.filter(({ audit }) => typeof audit === 'function');
