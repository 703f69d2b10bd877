import type { TopicOf } from '@parley/protocol';

/** Lists the topics of events, one for each publishing service. */
export const topics = {
  auth: 'parley.auth.events.v1',
  org: 'parley.org.events.v1',
  chat: 'parley.chat.events.v1',
  billing: 'parley.billing.events.v1',
  monitoring: 'parley.monitoring.events.v1',
} as const satisfies { readonly [Service in string]: TopicOf<Service> };
