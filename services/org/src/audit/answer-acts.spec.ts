import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { AnswerActsConsumer } from './answer-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new AnswerActsConsumer(audit, people);

test('that an answer was stopped stands in the audit log, by whom, whose it was, and nothing that it said', async () => {
  const { orgId, owner } = await founded(setup);
  const [userId, generationId] = [newId('user'), newId('generation')];
  const time = '2026-11-21T10:42:00.000Z';
  const data = { orgId, generationId, by: owner.userId, userId, model: 'builtin' };
  await work.run(owner, (tx) =>
    consumer.writeStopped({ data, time } as never, { tx, scope: tests.in(orgId) } as never),
  );
  const { items } = await audit.list(asked(owner, { query: { limit: 50, act: 'answer.stopped' } }));
  expect(items).toMatchObject([
    {
      at: time,
      actor: { userId: owner.userId },
      target: { id: userId, name: (await people.find(userId)).name },
      before: { answer: generationId, model: 'builtin' },
      after: null,
    },
  ]);
});
