import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { conversationPath, type KilledProduct } from './killed-product.ts';
import { newQuestion, readAnswer } from './world.ts';

/**
 * Queues three questions behind an answer that is being written. Killed when the last of them is queued and nobody was
 * told, and in the transaction that takes the first one out and asks it; in a soak behind that, too. Each is asked
 * once, in the order in which they came.
 */
export async function killInQueue(run: KilledProduct): Promise<void> {
  const conversationId = newId('conversation');
  const params = { conversationId };
  const asked = newQuestion(conversationId, 'long');
  const waiting = Array.from({ length: 3 }, () => newQuestion(conversationId, 'short'));
  const { serial: _serial, conversationId: _conversation, text, ...ids } = asked;
  await run.client.send(conversationId, text, ids);
  const adding = waiting.map((question, at) => {
    const { serial: _of, conversationId: _in, ...body } = question;
    const { answerId: parentId } = [asked, ...waiting][at]!;
    return () =>
      run.client.call('POST /api/chat/conversations/:conversationId/queue', {
        params,
        body: { kind: 'question', ...body, parentId },
      });
  });
  const [first, second, last] = adding as [Add, Add, Add];
  await first();
  await second();
  run.arm('person|after|1');
  const answered = last().catch(() => null);
  await run.untilKilled();
  run.same('the answer to the call', await answered, null);
  // Nobody calls it: the next transaction of a person is the one that asks the first question of the queue.
  for (const point of run.points('person|before|1', 'person|after|1')) {
    run.arm(point);
    await run.product.start();
    await run.untilKilled();
  }
  await run.start();
  await last();
  await eventually(async () => {
    const { items } = await run.client.call('GET /api/chat/conversations/:conversationId/queue', { params });
    if (items.length > 0) throw new Error(`${items.length} wait.`);
  }, 'all should be asked');
  await run.untilEnded(conversationId);
  const { items } = await run.client.call(conversationPath, { params, query: { limit: 100 } });
  const all = [asked, ...waiting];
  run.same(
    'what was queued',
    items.map(({ id }) => id),
    all.flatMap(({ messageId, answerId }) => [messageId, answerId]),
  );
  for (const { answerId, serial } of all) {
    const reading = readAnswer(items.find(({ id }) => id === answerId)?.text ?? '');
    run.same(`the answer to queued q${serial}`, [reading?.serial, reading?.isWhole], [serial, true]);
  }
}

type Add = () => Promise<unknown>;
