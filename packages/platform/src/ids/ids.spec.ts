import { expect, test } from '@jest/globals';
import { eventId } from '@parley/contracts';
import { derivedId, newId } from './ids.ts';

test('an id that follows from values is always the same, and looks like any other', () => {
  const derived = derivedId('event', ['membership.added.v1', 'org_1', 'usr_1', 1]);
  // Never changes: inboxes know it.
  expect(derived).toBe('evt_51XS5N6TH656YRPKB060HEMKQM');
  expect(eventId.parse(derived)).toBe(derived);
  expect(eventId.parse(newId('event'))).not.toBe(derived);
  expect(derivedId('event', ['membership.added.v1', 'org_1', 'usr_1', 2])).not.toBe(derived);
});
