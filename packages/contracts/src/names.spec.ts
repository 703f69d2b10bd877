import { expect, test } from '@jest/globals';
import { eventDefinitions } from './events/events.ts';
import { resources, type Resource } from './names.ts';

/**
 * Conversations have sequenced messages of their own; mails and invitations for an address belong to nobody's room, and their pages ask again by themselves, as that of the audit log does; the others are read when they are asked for.
 */
const unannounced: readonly Resource[] = [
  'my-invitations',
  'mails',
  'audit',
  'provider-offers',
  'conversations',
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
