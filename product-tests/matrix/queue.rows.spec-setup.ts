import { queueRoutes, type MessageId, type ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { rowsFor, type World } from './rows.spec-setup.ts';
import { silentAddress } from './silent-model.spec-setup.ts';

const silentModels = new WeakMap<World, Promise<ModelKey>>();
async function addSilentModel({ owner }: World): Promise<ModelKey> {
  const [id, models] = [newId('provider'), ['m']];
  const baseUrl = `http://${await silentAddress()}/v1`;
  const body = { id, name: 'Silent', baseUrl, models, defaultModel: 'm', isDefault: false };
  await owner.call('POST /api/chat/providers', { body });
  return `${id}/m` as ModelKey;
}

const aQuestion = (parentId: MessageId | null) => ({
  kind: 'question' as const,
  messageId: newId('message'),
  parentId,
  answerId: newId('message'),
  generationId: newId('generation'),
  text: 'and then?',
});
/** A chat in which an answer is being written, and never a word of it comes. */
async function busyChat(world: World) {
  const model = silentModels.get(world) ?? addSilentModel(world);
  silentModels.set(world, model);
  const conversationId = newId('conversation');
  const { answer } = await world.owner.send(conversationId, 'first', { model: await model });
  return { conversationId, answerId: answer.id };
}
/** One with a question that waits. */
async function withQueue(world: World) {
  const { conversationId, answerId } = await busyChat(world);
  const body = aQuestion(answerId);
  await world.owner.call('POST /api/chat/conversations/:conversationId/queue', { params: { conversationId }, body });
  return { conversationId, messageId: body.messageId };
}
let listed: MessageId | null = null;

export const queueRows = rowsFor(queueRoutes, {
  listQueue: {
    request: async (world) => {
      const { conversationId, messageId } = await withQueue(world);
      listed = messageId;
      return { params: { conversationId } };
    },
    things: 'owner',
    lists: { ids: () => (listed ? [listed] : []), whose: 'owner' },
  },
  addToQueue: {
    request: async (world) => {
      const { conversationId, answerId } = await busyChat(world);
      return { params: { conversationId }, body: aQuestion(answerId) };
    },
    things: 'owner',
    lists: null,
  },
  editQueued: {
    request: async (world) => ({ params: await withQueue(world), body: { version: 1, text: 'and now?' } }),
    things: 'owner',
    repeated: 409,
  },
  withdrawQueued: { request: async (world) => ({ params: await withQueue(world) }), things: 'owner' },
  resumeQueue: {
    request: async (world) => ({ params: { conversationId: (await withQueue(world)).conversationId } }),
    things: 'owner',
    lists: null,
  },
});
