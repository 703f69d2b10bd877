import { beforeAll, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';

const bench = await chatBench();
beforeAll(bench.ready);

const owner = aViewer();
const failed = { status: 'failed', text: '', failure: 'budget-spent' } as const;
const refused = async (text = 'Too dear?'): Promise<Accepted> => {
  const asked = await bench.ask(owner, { text });
  await bench.end(owner, asked, failed);
  return asked;
};
const discard = (viewer: Viewer, { conversation, message }: Accepted, isDiscarded = true) =>
  bench.discarding.discard(viewer, { conversationId: conversation.id, messageId: message.id, isDiscarded });
const told = async ({ conversation }: Accepted) =>
  (await bench.eventsOf(conversation.id)).filter(({ type }) => type === 'message.changed.v1');

test('hides the text of a discarded question from everyone and from search, until it is restored', async () => {
  const asked = await refused('walrus');
  const { id } = asked.conversation;
  expect(await discard(owner, asked)).toMatchObject({ text: '', isDiscarded: true, sequence: 5 });
  expect((await bench.searchedBy(owner, id))[0]?.searchKeys).toEqual([]);
  await discard(owner, asked);
  expect((await told(asked)).map(({ data, sequence }) => [data, sequence])).toMatchObject([
    [{ messageId: asked.message.id, change: 'discarded', memberIds: [owner.principal.userId] }, 5],
  ]);
  const back = await discard(owner, asked, false);
  expect(back).toMatchObject({ text: 'walrus', sequence: 6 });
  expect(back).not.toHaveProperty('isDiscarded');
  expect((await bench.searchedBy(owner, id))[0]?.searchKeys).toEqual([':me', 'walrus']);
});

test('refuses to answer a discarded question until it is restored', async () => {
  const asked = await refused();
  const wish = { conversationId: asked.conversation.id, parentId: asked.message.id };
  const again = () =>
    bench.answering.answer(owner, { ...wish, answerId: newId('message'), generationId: newId('generation') });
  await discard(owner, asked);
  await expect(again()).rejects.toMatchObject({ code: 'chat.message-not-found' });
  await discard(owner, asked, false);
  expect((await again()).answer.parentId).toBe(asked.message.id);
  await expect(discard(owner, asked)).rejects.toMatchObject({ code: 'chat.generation-running' });
});

test('refuses to discard a question that a model was asked, whatever came of it', async () => {
  const answered = await bench.ask(owner);
  await expect(discard(owner, answered)).rejects.toMatchObject({ code: 'chat.generation-running' });
  await bench.end(owner, answered);
  await expect(discard(owner, answered)).rejects.toMatchObject({ code: 'platform.conflict' });
  const cut = await bench.ask(owner);
  await bench.end(owner, cut, { ...failed, failure: 'provider-cut' });
  await expect(discard(owner, cut)).rejects.toMatchObject({ code: 'platform.conflict' });
  expect([await told(answered), await told(cut)]).toEqual([[], []]);
});

test('lets only people who see the conversation discard, and only questions', async () => {
  const asked = await refused();
  for (const viewer of [aViewer(owner.scope.orgId), aViewer(undefined, { userId: owner.principal.userId })])
    await expect(discard(viewer, asked)).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
  const answer = { ...asked, message: asked.answer };
  await expect(discard(owner, answer)).rejects.toMatchObject({ code: 'chat.message-not-found' });
  await expect(discard(owner, asked)).resolves.toBeDefined();
});
