import { expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import { anOrgId, updatesOf } from '@parley/testing';
import { eventsOf } from './read-event.ts';

const batchOf = (events: readonly EventEnvelope[]) => ({
  topic: topics.org,
  partition: 2,
  events: events.map((event, offset) => ({ offset: String(offset), event })),
  malformed: [],
  lastOffset: String(events.length - 1),
});

test('an event is parsed once per definition, however many consumers read it', () => {
  let checks = 0;
  const parse: typeof organisationUpdated.parse = (event) => {
    checks += 1;
    return organisationUpdated.parse(event);
  };
  const definition = { ...organisationUpdated, parse } as typeof organisationUpdated;
  const events = updatesOf(anOrgId(), 1);
  const [read] = eventsOf(batchOf(events));
  expect(read!.as(definition)).toBe(read!.as(definition));
  expect(checks).toBe(1);
  expect(read!.logged).toMatchObject({ eventId: events[0]!.id, partition: 2, offset: '0' });
});

test('reads an event that is in a batch twice at its first position', () => {
  const [one, two] = updatesOf(anOrgId(), 2) as [EventEnvelope, EventEnvelope];
  const read = eventsOf(batchOf([one, two, one]));
  expect(read.map(({ logged }) => `${logged.eventId} ${logged.offset}`)).toEqual([`${one.id} 0`, `${two.id} 1`]);
});
