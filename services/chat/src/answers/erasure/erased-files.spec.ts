import { beforeAll, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { TestJobs } from '@parley/testing';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { eraseChat, eraseMessage, type Viewer } from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { ConversationEraser } from './conversation-eraser.ts';
import { MessageEraser } from './message-eraser.ts';

const bench = await filesBench();
const { conversations, keeping, messages, generations, work, clock, left, used } = bench;
const parts = [conversations, keeping, messages, generations, work, clock] as const;
beforeAll(bench.ready);

const withFile = (id: FileId) => ({ files: [{ id, use: 'auto' as const }] });
/** Creates a chat with a file of its question, and another file of its draft. */
async function chatWithFiles(viewer: Viewer) {
  const [asked, drafted] = [await bench.readyFile(viewer, ['Herons.']), await bench.readyFile(viewer, ['Storks.'])];
  const accepted = await bench.ask(viewer, withFile(asked));
  await bench.end(viewer, accepted);
  await bench.draft(viewer, { files: [drafted] }, accepted.conversation.id);
  clock.advance(bench.keepUnusedMs);
  await bench.eraseFiles();
  return { asked, drafted, ...accepted };
}
const whole = { row: true, passages: 1, file: true };
const nothing = { row: false, passages: 0, file: false };

test('keeps files of a deleted chat while it can be restored, and erases them with the chat', async () => {
  const viewer = aViewer();
  const { asked, drafted, conversation } = await chatWithFiles(viewer);
  await keeping.delete({ ...viewer, params: { conversationId: conversation.id } } as never);
  await bench.eraseFiles();
  expect([await left(viewer, asked), await left(viewer, drafted)]).toEqual([whole, whole]);
  clock.advance(keepDeletedMs);
  await new TestJobs(bench).with(eraseChat, new ConversationEraser(...parts)).run();
  await bench.eraseFiles();
  expect([await left(viewer, asked), await left(viewer, drafted)]).toEqual([nothing, nothing]);
  expect(await used(viewer)).toBe(0);
});

test('erases files of a deleted message with the message, if no other message has them', async () => {
  const viewer = aViewer();
  const { asked, drafted, conversation, message } = await chatWithFiles(viewer);
  const params = { conversationId: conversation.id, messageId: message.id };
  await bench.deleting.delete({ ...viewer, params } as never);
  clock.advance(keepDeletedMs);
  await new TestJobs(bench).with(eraseMessage, new MessageEraser(...parts)).run();
  await bench.eraseFiles();
  expect([await left(viewer, asked), await left(viewer, drafted)]).toEqual([nothing, whole]);
});
