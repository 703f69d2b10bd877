import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { OpenAck, Resource } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { LiveSocket, ParleyClient } from '@parley/testing/client';
import { Scene } from './scene.spec-setup.ts';

/** What a chat says live is heard by its owner alone, not by a colleague who may do everything. */
let scene: Scene;
const sockets: LiveSocket[] = [];
/** Other things of the organisation may change meanwhile, and an owner may know it. */
const ofChats = new Set<Resource>([
  'conversations',
  'deleted-conversations',
  'messages',
  'passages',
  'search',
  'my-answers',
]);

beforeAll(async () => {
  scene = await Scene.start();
}, 90_000);
afterAll(() => scene.close());
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

async function tabOf(person: ParleyClient): Promise<{ socket: LiveSocket; heard: string[] }> {
  const socket = person.socket();
  sockets.push(socket);
  const heard: string[] = [];
  socket.onAny((name: string, message: { resources?: Resource[] }) => {
    if (!message.resources || message.resources.some((resource) => ofChats.has(resource))) heard.push(name);
  });
  await new Promise(
    (resolve, reject) => void socket.once('connect', () => resolve(null)).once('connect_error', reject),
  );
  return { socket, heard };
}

test("a colleague's tab stays silent while an answer is written, and may not open the chat", async () => {
  const { owner, conversationId } = scene.world;
  const mine = await tabOf(owner);
  const theirs = await tabOf(scene.people.colleague);
  const open = async ({ socket }: typeof mine): Promise<OpenAck> =>
    (await socket.emitWithAck('conversation.open', { conversationId })) as OpenAck;
  expect(await open(mine)).toMatchObject({ ok: true });
  expect(await open(theirs)).toMatchObject({ ok: false, problem: { code: 'chat.conversation-not-found' } });
  await owner.send(conversationId, 'When does carry over end, again?');
  await eventually(async () => {
    expect(mine.heard).toEqual(expect.arrayContaining(['conversation.changed', 'generation.frame']));
  }, 'the own tab should hear it');
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items.at(-1)?.generation?.finishedAt).toEqual(expect.any(String));
  }, 'the answer should end');
  expect(theirs.heard).toEqual([]);
});

test('nor does it open the stream of an answer that is named outright', async () => {
  const { owner, conversationId } = scene.world;
  const theirs = await tabOf(scene.people.colleague);
  const [generationId, answerId] = [newId('generation'), newId('message')];
  const stream = { generationId, epoch: 0, seq: 0 };
  const ack = (await theirs.socket.emitWithAck('conversation.open', { conversationId, stream })) as OpenAck;
  expect(ack).toMatchObject({ ok: false });
  await owner.send(conversationId, 'Once more?', { generationId, answerId });
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items.at(-1)?.id).toBe(answerId);
    expect(items.at(-1)?.generation?.finishedAt).toEqual(expect.any(String));
  }, 'the answer should end');
  expect(theirs.heard).toEqual([]);
});
