import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import type { ParleyClient } from '@parley/testing/client';
import assert from 'node:assert/strict';
import { ask, patienceMs } from './talk.ts';

/** A chat of Cleo with branches, a draft and a queue. */
export type Tree = {
  readonly conversationId: string;
  /** The texts of the open path, without the question whose answer waits. */
  readonly path: readonly string[];
  /** How many versions there are at each fork. */
  readonly versions: readonly number[];
  readonly draft: string;
  readonly asked: string;
  readonly queued: string;
};
const model = 'builtin';

/** While another answer has the organisation's only slot: the last question waits for one, and another waits behind it. */
export async function growTree(person: ParleyClient): Promise<Tree> {
  const first = await ask(person, 'How long is the mole?', { model });
  const { conversationId } = first;
  const question = await messageOf(person, conversationId, first.parentId);
  await ask(person, 'How long is the north pier?', { conversationId, model, parentId: question.parentId as never });
  await ask(person, 'And how wide?', { conversationId, model });
  const { version } = await readPath(person, conversationId);
  await person.call('PUT /api/chat/conversations/:conversationId/place', {
    params: { conversationId },
    body: { through: first.id, version },
  });
  const { texts: path, versions } = await readPath(person, conversationId);
  const draft = 'Who built the mole, and';
  await person.call('PUT /api/chat/drafts/:where', {
    params: { where: conversationId },
    body: { text: draft, revision: 0, writer: 'upgrade' },
  });
  return { conversationId, path, versions, draft, asked: 'How high is the mole?', queued: 'Is the mole paved?' };
}

/** Leaves questions in its queue. */
export async function queueIn(person: ParleyClient, tree: Tree): Promise<void> {
  const conversationId = tree.conversationId as ConversationId;
  const { leafId } = await readPath(person, conversationId);
  const { answer } = await person.send(conversationId, tree.asked, { parentId: leafId, model: model as never });
  const { started } = await person.call('POST /api/chat/conversations/:conversationId/queue', {
    params: { conversationId },
    body: {
      kind: 'question',
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      parentId: answer.id,
      text: tree.queued,
      model: model as never,
    },
  });
  if (started) throw new Error('The question in the queue was asked at once.');
}

/** The path opens where it was left, both waiting questions are answered on it, and the draft is there. */
export async function compareTree(person: ParleyClient, tree: Tree): Promise<void> {
  const conversationId = tree.conversationId as ConversationId;
  const { texts, versions } = await eventually(
    async () => {
      const read = await readPath(person, conversationId);
      assert.equal(read.texts.length, tree.path.length + 4);
      assert.equal(read.isWritten, true);
      return read;
    },
    'what waits should be answered',
    patienceMs,
  );
  assert.deepEqual(texts.slice(0, tree.path.length), tree.path);
  assert.deepEqual([texts.at(-4), texts.at(-2)], [tree.asked, tree.queued]);
  assert.deepEqual(versions, tree.versions);
  const { text } = await person.call('GET /api/chat/drafts/:where', { params: { where: conversationId } });
  assert.equal(text, tree.draft);
}

async function messageOf(person: ParleyClient, id: ConversationId, messageId: Message['parentId']): Promise<Message> {
  const message = (await person.messages(id)).items.find((one) => one.id === messageId);
  if (!message) throw new Error(`There is no message ${messageId}.`);
  return message;
}

async function readPath(person: ParleyClient, conversationId: ConversationId) {
  const page = await person.call('GET /api/chat/conversations/:conversationId/path', {
    params: { conversationId },
    query: { limit: 100 },
  });
  return {
    texts: page.items.map(({ text }) => text),
    versions: page.versions.map(({ ids }) => ids.length),
    leafId: page.leafId as MessageId | null,
    isWritten: page.items.every(({ generation }) => !generation || generation.status === 'done'),
    version: page.placeVersion,
  };
}
