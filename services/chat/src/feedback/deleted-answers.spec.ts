import { beforeAll, expect, test } from '@jest/globals';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { feedbackBench } from './feedback-bench.spec-setup.ts';

const rated = await feedbackBench();
beforeAll(rated.ready);

test('an answer that was deleted, itself or with what it follows, is not rated and sent along', async () => {
  const viewer = aViewer();
  const asked = await rated.answered(viewer);
  const { id: conversationId } = asked.conversation;
  const next = await rated.ask(viewer, { conversationId, parentId: asked.answer.id });
  await rated.end(viewer, next);
  await rated.deleting.delete({ ...viewer, params: { conversationId, messageId: asked.answer.id } } as never);
  for (const one of [asked, next])
    await expect(rated.rate(viewer, one, { messages: 20 })).rejects.toMatchObject({ code: 'chat.message-not-found' });
});
