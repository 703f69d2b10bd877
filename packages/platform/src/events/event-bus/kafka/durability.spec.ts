import { expect, test } from '@jest/globals';
import { durabilityFaults, durabilityFor, withInSync } from './durability.ts';

const unsaid = { copies: null, inSync: null };
const topic = (name: string) => ({ name, partitions: 3, settings: {} });
const inSyncOf = (...given: Parameters<typeof withInSync>) =>
  withInSync(...given).map(({ settings }) => settings['min.insync.replicas']);

test.each([
  [1, unsaid, unsaid],
  [2, unsaid, unsaid],
  [3, unsaid, { copies: 3, inSync: 2 }],
  [3, { copies: 1, inSync: null }, { copies: 1, inSync: null }],
  [5, { copies: 5, inSync: 3 }, { copies: 5, inSync: 3 }],
])('chooses durability on %i brokers, asked for %j: %j', (brokers, wanted, durability) => {
  expect(durabilityFor(brokers, wanted)).toEqual(durability);
});

test('sets the number of in-sync replicas if losing a broker then stops no write', () => {
  const there = [
    { name: 'three', copies: 3, inSync: 1 },
    { name: 'one', copies: 1, inSync: 1 },
  ];
  const declared = [topic('three'), topic('one'), topic('new')];
  expect(inSyncOf(declared, { copies: 3, inSync: 2 }, there)).toEqual(['2', undefined, '2']);
  expect(inSyncOf(declared, unsaid, there)).toEqual([undefined, undefined, undefined]);
});

test('reports a topic that the loss of one of several brokers removes', () => {
  const kept = { name: 'kept', copies: 3, inSync: 2 };
  const topics = [kept, { ...kept, name: 'alone', copies: 1 }, { ...kept, name: 'hasty', inSync: 1 }];
  expect(durabilityFaults(3, topics)).toEqual([
    'alone has 1 of 3 copies, and 2 of 2 must have a write before it counts',
    'hasty has 3 of 3 copies, and 1 of 2 must have a write before it counts',
  ]);
  expect(durabilityFaults(1, topics)).toEqual([]);
});
