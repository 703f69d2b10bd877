import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { FeedbackActsConsumer } from './feedback-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new FeedbackActsConsumer(audit, people);
const time = '2026-11-24T08:20:00.000Z';

test('who changed the state of a case, answered it or read what was sent along stands in the audit log; a rating does not', async () => {
  const { orgId, owner } = await founded(setup);
  const feedbackId = newId('feedback');
  const told = { orgId, feedbackId, by: owner.userId, userId: owner.userId, rating: 'down', state: 'fixed' };
  for (const more of [
    { change: 'rated' },
    { change: 'state', before: 'new' },
    { change: 'noted' },
    { change: 'answered' },
    { change: 'read' },
    { change: 'withdrawn' },
  ])
    await work.run(owner, (tx) =>
      consumer.writeFeedback({ data: { ...told, ...more }, time } as never, { tx, scope: tests.in(orgId) } as never),
    );
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: feedbackId } }));
  expect(items.map(({ act, before, after }) => [act, before, after])).toEqual([
    ['feedback.messages-read', null, null],
    ['feedback.answered', null, null],
    ['feedback.state-changed', { state: 'new' }, { state: 'fixed' }],
  ]);
  expect(items[0]).toMatchObject({
    at: time,
    actor: { userId: owner.userId },
    target: { name: (await people.find(owner.userId)).name },
  });
});

test('what is done with curated answers stands there, too, and nothing that they say', async () => {
  const { orgId, owner } = await founded(setup);
  const curatedAnswerId = newId('curatedAnswer');
  for (const change of ['created', 'changed', 'deleted'] as const)
    await work.run(owner, (tx) =>
      consumer.writeCurated(
        { data: { orgId, curatedAnswerId, by: owner.userId, change }, time } as never,
        { tx, scope: tests.in(orgId) } as never,
      ),
    );
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: curatedAnswerId } }));
  expect(items.map(({ act, target }) => [act, target.name])).toEqual(
    ['deleted', 'changed', 'created'].map((change) => [`curated-answer.${change}`, curatedAnswerId]),
  );
});
