import { expect, test } from '@jest/globals';
import { chatbotId, clientIdOf, idPrefixes, type IdKind } from '@parley/contracts';
import { eventId } from '@parley/protocol';
import { apartFromClients, derivedId, newId } from './ids.ts';

test('an id derived from values is always the same and looks like any other id', () => {
  const derived = derivedId('event', ['membership.added.v1', 'org_1', 'usr_1', 1]);
  // The derived id must never change, because inboxes store it.
  expect(derived).toBe('evt_51XS5N6TH656YRPKB060HEMKQM');
  expect(eventId.parse(derived)).toBe(derived);
  expect(eventId.parse(newId('event'))).not.toBe(derived);
  expect(derivedId('event', ['membership.added.v1', 'org_1', 'usr_1', 2])).not.toBe(derived);
});

test('clients can create rows with new ids, and not with ids that are kept apart from clients', () => {
  for (const kind of Object.keys(idPrefixes) as IdKind[])
    expect(clientIdOf(kind).safeParse(newId(kind)).success).toBe(true);
  const derived = Array.from({ length: 2_000 }, (_, at) => derivedId('chatbot', ['default', at]));
  const isForClients = (id: string) => clientIdOf('chatbot').safeParse(id).success;
  // About one derived id in 85 has the form of an id that clients can choose for new rows.
  expect(derived.filter(isForClients).length).toBeGreaterThan(0);
  const apart = derived.map(apartFromClients);
  expect(apart.filter(isForClients)).toEqual([]);
  expect(apart.every((id) => chatbotId.safeParse(id).success)).toBe(true);
  expect(apart.filter((id, at) => id !== derived[at]).length).toBe(derived.filter(isForClients).length);
});
