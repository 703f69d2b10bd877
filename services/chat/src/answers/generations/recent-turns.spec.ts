import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted, ConversationId } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { chatBench } from '../../chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../viewer.spec-setup.ts';
import type { PreparedAnswer } from './asking/prepare-answer.ts';
import { whole, workersOf } from './workers/worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers go by the time of the machine.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker, workers } = workersOf(bench);
let leave = (): void => {};
afterEach(async () => {
  leave();
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

/** Asks, and has a worker answer it that reads ahead where it is alone. */
async function answered(viewer: Viewer, isAlone: boolean): Promise<Accepted> {
  const asked = await bench.ask(viewer, { text: 'How many?' });
  const worker = aWorker(whole, 5, { isAlone });
  void worker.lookForQuestions();
  const isOver = async () => (await bench.find(viewer, asked)).status === 'done' && worker.activeCount === 0;
  await eventually(isOver, 'it is answered');
  await worker.stop();
  return asked;
}

/** What the model is told when the next question is asked of a worker that has a place. */
async function toldOf(viewer: Viewer, conversationId: ConversationId): Promise<string[]> {
  const given = Promise.withResolvers<PreparedAnswer>();
  leave = bench.queue.addWorker(() => ({
    lease: { holder: 'worker', until: new Date() },
    write: (_claimed, preparing) => given.resolve(preparing),
    takeOver: () => undefined,
    release: () => undefined,
  }));
  await bench.ask(viewer, { conversationId, text: 'Why?' });
  return (await given.promise).turns.map(({ text }) => text);
}

/** So that is told which rows were read before it. */
const rewrite = (conversationId: ConversationId) =>
  bench.mongo.connection
    .collection('messages')
    .updateMany({ conversationId, role: 'assistant' }, { $set: { text: 'Read now.' } });

test.each([
  { isAlone: true, told: 'Whole.', what: 'what was read when the answer ended' },
  { isAlone: false, told: 'Read now.', what: 'what is read now, where another process may have got it' },
])('the next question is told $what', async ({ isAlone, told }) => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer, isAlone);
  await rewrite(conversation.id);
  expect(await toldOf(viewer, conversation.id)).toEqual(['How many?', told, 'Why?']);
});

test('whatever has changed since, what was read before is not told', async () => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer, true);
  const body = { title: 'Herons', version: 1 };
  await bench.keeping.rename({ ...viewer, params: { conversationId: conversation.id }, body } as never);
  await rewrite(conversation.id);
  expect(await toldOf(viewer, conversation.id)).toEqual(['How many?', 'Read now.', 'Why?']);
});

test('another version of the answer is told', async () => {
  const viewer = aViewer();
  const asked = await answered(viewer, true);
  const ids = { answerId: 'msg_01M7Z6X0BT7J6QPJC5FQE3HR01', generationId: 'gen_01M7Z6X0BT7J6QPJC5FQE3HR01' } as never;
  const wish = { conversationId: asked.conversation.id, parentId: asked.message.id, ...(ids as object) };
  const { answer } = await bench.answering.answer(viewer, wish as never);
  await bench.end(viewer, { answer }, 'Newer.');
  expect(await toldOf(viewer, asked.conversation.id)).toEqual(['How many?', 'Newer.', 'Why?']);
});

test('a question that cannot be stored is prepared for nobody', async () => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer, true);
  await bench.ask(viewer, { conversationId: conversation.id, text: 'Still open?' });
  await expect(toldOf(viewer, conversation.id)).rejects.toMatchObject({ code: 'chat.generation-running' });
});
