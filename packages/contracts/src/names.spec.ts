import { expect, test } from '@jest/globals';
import { eventDefinitions } from './events/events.ts';
import { resources, type Resource } from './names.ts';

/**
 * Lists resources whose changes no event announces. Conversations have sequenced messages of their own. Mails, lists of
 * the platform, and invitations for an address belong to no socket room, so their pages poll. Pages of the audit log,
 * monitoring, usage and prices poll as well. The rest is read when a page opens.
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

test('each resource has an event that marks it as changed, except the listed ones', () => {
  const named = new Set(
    eventDefinitions.flatMap(({ live }) => (live === null || live === 'conversation' ? [] : live.resources)),
  );
  const never = (Object.keys(resources) as Resource[]).filter((resource) => !named.has(resource));
  expect(never).toEqual(unannounced);
});
