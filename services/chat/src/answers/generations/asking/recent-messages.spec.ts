import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted, ConversationId } from '@parley/contracts';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import { putFile } from '../../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

const bench = await chatBench();
beforeAll(bench.ready);
let leave = (): void => {};
afterEach(() => leave());

/** Asks, ends the answer, and reads ahead what the next question needs. */
async function answered(viewer: Viewer): Promise<Accepted> {
  const asked = await bench.ask(viewer, { text: 'How many?' });
  const ended = await bench.end(viewer, asked, 'Whole.');
  await bench.prepare.readAhead(await bench.find(viewer, asked), ended!);
  return asked;
}

/** Asks the next question of a worker with a free slot, and returns the answer that was prepared for it. */
async function preparedNext(viewer: Viewer, conversationId: ConversationId, text = 'Why?') {
  const given = Promise.withResolvers<PreparedAnswer>();
  leave = bench.queue.addWorker(() => ({
    lease: { holder: 'worker', until: new Date() },
    write: (_claimed, preparing) => given.resolve(preparing),
    takeOver: () => undefined,
    release: () => undefined,
  }));
  const asked = await bench.ask(viewer, { conversationId, text });
  return { asked, prepared: await given.promise };
}
const textsOf = ({ path }: PreparedAnswer) => path.map(({ text }) => text);
const toldOf = async (viewer: Viewer, conversationId: ConversationId) =>
  textsOf((await preparedNext(viewer, conversationId)).prepared);

/** Changes the stored answers, so that a test sees which rows were read earlier. */
const rewrite = (conversationId: ConversationId) =>
  bench.mongo.connection
    .collection('messages')
    .updateMany({ conversationId, role: 'assistant' }, { $set: { text: 'Read now.' } });

test('sends the model the rows that were read ahead when the answer ended', async () => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer);
  await rewrite(conversation.id);
  expect(await toldOf(viewer, conversation.id)).toEqual(['How many?', 'Whole.', 'Why?']);
});

test('sends the model the stored rows if none were read ahead', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer, { text: 'How many?' });
  await bench.end(viewer, asked, 'Whole.');
  await rewrite(asked.conversation.id);
  expect(await toldOf(viewer, asked.conversation.id)).toEqual(['How many?', 'Read now.', 'Why?']);
});

test('ignores rows that were read ahead before the conversation changed', async () => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer);
  const body = { title: 'Herons', version: 1 };
  await bench.keeping.rename({ ...viewer, params: { conversationId: conversation.id }, body } as never);
  await rewrite(conversation.id);
  expect(await toldOf(viewer, conversation.id)).toEqual(['How many?', 'Read now.', 'Why?']);
});

test('sends the model another version of the answer instead of the one that was read ahead', async () => {
  const viewer = aViewer();
  const asked = await answered(viewer);
  const ids = { answerId: 'msg_01M7Z6X0BT7J6QPJC5FQE3HR01', generationId: 'gen_01M7Z6X0BT7J6QPJC5FQE3HR01' } as never;
  const wish = { conversationId: asked.conversation.id, parentId: asked.message.id, ...(ids as object) };
  const { answer } = await bench.answering.answer(viewer, wish as never);
  await bench.end(viewer, { answer }, 'Newer.');
  expect(await toldOf(viewer, asked.conversation.id)).toEqual(['How many?', 'Newer.', 'Why?']);
});

test('a question that can’t be stored isn’t prepared for any worker', async () => {
  const viewer = aViewer();
  const { conversation } = await answered(viewer);
  await bench.ask(viewer, { conversationId: conversation.id, text: 'Still open?' });
  await expect(toldOf(viewer, conversation.id)).rejects.toMatchObject({ code: 'chat.generation-running' });
});

/** Each question is different, but searches for the same word. */
const herons = (at: number) => `Herons${'?'.repeat(at)}`;

test('sends 40 messages before a new or repeated question, and searches the files of the whole path', async () => {
  const viewer = aViewer();
  const files = [{ id: await putFile(bench, viewer), use: 'searched' as const }];
  const first = await bench.ask(viewer, { text: herons(1), files });
  await bench.end(viewer, first);
  const { id: conversationId } = first.conversation;
  for (let at = 2; at <= 20; at += 1)
    await bench.end(viewer, await bench.ask(viewer, { conversationId, text: herons(at) }));
  const found = ({ passages }: PreparedAnswer) => passages.map(({ text }) => text);
  for (const at of [21, 22]) {
    const { asked, prepared } = await preparedNext(viewer, conversationId, herons(at));
    const told = textsOf(prepared);
    // After 40 messages the model gets all of them. After 42 the first question is missing, but its file is still
    // searched.
    expect([told.length, told[0], told.at(-1)]).toEqual([41, herons(at - 20), herons(at)]);
    const again = await bench.prepare.prepare(await bench.find(viewer, asked));
    expect(textsOf(again)).toEqual(told);
    expect([found(prepared), found(again)]).toEqual([['Herons.'], ['Herons.']]);
    await bench.end(viewer, asked);
    leave();
  }
  const aside = await bench.ask(viewer, { conversationId, parentId: null, text: herons(1) });
  expect(found(await bench.prepare.prepare(await bench.find(viewer, aside)))).toEqual([]);
}, 180_000);
