import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { eventEnvelope, type EventEnvelope } from '@parley/protocol';
import { eventDefinitions } from './events.ts';

const folder = new URL('../../samples/', import.meta.url);
const samples = readdirSync(folder).map(
  (file) => [file, JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as EventEnvelope] as const,
);

test('every event has a sample, which later versions must be able to read', () => {
  expect(samples.map(([file]) => file).toSorted()).toEqual(
    eventDefinitions.map(({ type }) => `${type}.json`).toSorted(),
  );
});

describe.each(samples)('%s', (file, sample) => {
  test('reads samples of earlier versions by today’s contract', () => {
    const envelope = eventEnvelope.parse(sample) as EventEnvelope;
    const definition = eventDefinitions.find(({ type }) => type === envelope.type);
    expect(`${envelope.type}.json`).toBe(file);
    expect(definition?.parse(envelope).data).toEqual(sample.data);
    expect(envelope.subject).toBe((sample.data as Record<string, unknown>)[definition?.key ?? '']);
  });
});

test('accepts an event with unknown fields, or without the newest ones', () => {
  const [, sample] = samples[0]!;
  const { actor: _actor, onbehalfof: _onbehalfof, ...older } = { ...sample, ofTheFuture: 1 } as Record<string, unknown>;
  const envelope = eventEnvelope.parse(older);
  expect(envelope).toMatchObject({ id: sample.id, actor: null, onbehalfof: null });
  expect(envelope).not.toHaveProperty('ofTheFuture');
});

test('event types are unique, in the past tense and versioned', () => {
  const types = eventDefinitions.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^[a-z]+\.[a-z-]+(ed)\.v\d+$/);
});
