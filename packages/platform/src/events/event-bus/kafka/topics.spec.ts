import { describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { declaredTopics, planTopics, type KafkaTopic } from './topics.ts';

const topic = (name: string, partitions = 3, settings: Record<string, string> = {}): KafkaTopic => ({
  name,
  partitions,
  settings,
});

describe('topics.json', () => {
  test('declares every topic of the contracts once', () => {
    const names = declaredTopics().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.values(topics)));
    expect(new Set(names).size).toBe(names.length);
  });

  test('keeps the events of each topic for seven days', () => {
    const ofEvents = declaredTopics().filter(({ name }) => name.endsWith('.events.v1'));
    expect(ofEvents.length).toBeGreaterThan(3);
    for (const { settings } of ofEvents) expect(settings['retention.ms']).toBe(String(7 * 24 * 3_600_000));
  });
});

describe('plan', () => {
  test('plans nothing if topics are as declared', () => {
    const same = [topic('a', 3, { 'retention.ms': '1' })];
    expect(planTopics(same, same)).toEqual({ create: [], addPartitions: [], set: [], differs: [] });
  });

  test('plans to create missing topics, add partitions and change settings', () => {
    const declared = [
      topic('new'),
      topic('grown', 6),
      topic('kept', 3, { 'retention.ms': '2', 'cleanup.policy': 'delete' }),
    ];
    const actual = [topic('grown', 3), topic('kept', 3, { 'retention.ms': '1' })];
    expect(planTopics(declared, actual)).toEqual({
      create: [topic('new')],
      addPartitions: [{ name: 'grown', from: 3, to: 6 }],
      set: [
        { name: 'kept', setting: 'retention.ms', from: '1', to: '2' },
        { name: 'kept', setting: 'cleanup.policy', from: null, to: 'delete' },
      ],
      differs: [],
    });
  });

  test('plans no removal, and reports what topics have beyond the declaration', () => {
    const plan = planTopics([topic('a', 3)], [topic('a', 6, { 'retention.ms': '1' }), topic('somebody.elses')]);
    expect(plan).toMatchObject({ create: [], addPartitions: [], set: [] });
    expect(plan.differs).toEqual([expect.stringContaining('6 partitions'), expect.stringContaining('retention.ms')]);
  });
});
