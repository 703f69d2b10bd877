import { beforeAll, expect, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { chatBench, newQuestion } from '../../../chat-bench.spec-setup.ts';
import { BranchesOpen, type MessagePlaces } from '../../../conversations/index.ts';
import { aViewer } from '../../../viewer.spec-setup.ts';
import type { AskInChat } from './ask-in-chat.ts';
import { SendMessage } from './send-message.ts';

const bench = await chatBench();
const { mongo, conversations, access, paths, clock, answering } = bench;
beforeAll(bench.ready);

test('while older processes may be there, a question goes on where the line ends and nowhere else', async () => {
  const viewer = aViewer();
  const closed = new BranchesOpen(mongo, { isAlone: false } as Platform, clock);
  const { places, asking } = bench.sending as unknown as { places: MessagePlaces; asking: AskInChat };
  const sending = new SendMessage(conversations, access, paths, places, closed, asking, bench.uses);
  const first = await bench.ask(viewer);
  await bench.end(viewer, first);
  const conversationId = first.conversation.id;
  const ask = async (parentId: MessageId | null) => {
    const asked = await sending.send(viewer, { ...newQuestion(), conversationId, parentId });
    await bench.end(viewer, asked);
    return asked;
  };
  const again = async ({ message }: typeof first) => {
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const { answer } = await answering.answer(viewer, { conversationId, parentId: message.id, ...ids });
    await bench.end(viewer, { answer });
    return answer;
  };
  const second = await ask(first.answer.id);
  const version = await again(second);
  const early = await again(first);
  const unfinished = { code: 'chat.update-unfinished' };
  for (const parentId of [null, first.answer.id]) await expect(ask(parentId)).rejects.toMatchObject(unfinished);
  // The newest answer of all, behind which older processes ask, and both of the newest question.
  const third = await ask(version.id);
  await again(third);
  const fourth = await ask(third.answer.id);
  expect([third, fourth].map(({ message }) => message.parentId)).toEqual([version.id, third.answer.id]);
  await expect(ask(early.id)).rejects.toMatchObject(unfinished);
});
