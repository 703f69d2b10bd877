import { expect, test } from '@jest/globals';
import { eventDefinitions } from './events/events.ts';
import { resources, type Resource } from './names.ts';

/**
 * Conversations have sequenced messages of their own; mails, the platform's lists and invitations for an address belong to nobody's room, and their pages ask again by themselves, as those of the audit log and of monitoring do; usage, spend, prices and what answers cost are read again by their pages too; the others are read when they are asked for.
 */
const unannounced: readonly Resource[] = [
  'all-organisations',
  'service-health',
  'allowed-addresses',
  'sales-terms',
  'all-orders',
  'all-invoices',
  'my-invitations',
  'mails',
  'security-log',
  'collected-errors',
  'error-tests',
  'my-usage',
  'spend',
  'spenders',
  'group-spend',
  'ledger-entries',
  'my-answers',
  'audit',
  'metrics',
  'running-answers',
  'deliveries',
  'people',
  'provider-offers',
  'trials',
  'messages',
  'passages',
  'search',
];

test('every resource is made old by some event', () => {
  const named = new Set(
    eventDefinitions.flatMap(({ live }) => (live === null || live === 'conversation' ? [] : live.resources)),
  );
  const never = (Object.keys(resources) as Resource[]).filter((resource) => !named.has(resource));
  expect(never).toEqual(unannounced);
});
