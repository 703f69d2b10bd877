import type { allEvents } from '@parley/contracts';
import { rows, type Act } from './act.spec-setup.ts';
import { chatActs } from './chat.acts.spec-setup.ts';
import { orgActs, setStatus } from './org.acts.spec-setup.ts';

type AllEvents = typeof allEvents;
/**
 * The events that make resources old. Those with the rule `conversation` are missing: what a tab makes of their
 * sequenced messages is the shared reducer's, with specs of its own. A rule `null` changes nobody's screen.
 */
type LiveType = {
  [Name in keyof AllEvents]: AllEvents[Name]['live'] extends { readonly resources: unknown }
    ? AllEvents[Name]['type']
    : never;
}[keyof AllEvents];

/** What a person does so that each event comes; a new event with a `live` rule doesn't compile without. */
export const acts: Readonly<Record<LiveType, readonly Act[]>> = {
  ...orgActs,
  ...chatActs,
  'order.changed.v1': rows('placeOrder', 'withdrawOrder', 'decideOrder'),
  'invoice.changed.v1': rows('recordPayment'),
  'rates.changed.v1': rows('createRate', 'endRate', 'importRates'),
  'webhook.changed.v1': rows('createWebhook', 'changeWebhook', 'deleteWebhook'),
  'name.revealed.v1': rows('revealName'),
  'apikey.created.v1': rows('createApiKey'),
  'apikey.revoked.v1': rows('revokeMyApiKey', 'revokeApiKey'),
  // The last ones: while it is suspended nobody does anything there.
  'org.suspended.v1': [setStatus('suspended')],
  'org.resumed.v1': [setStatus('active')],
};
