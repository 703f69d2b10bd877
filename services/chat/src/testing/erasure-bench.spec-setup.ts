import type { Accepted, ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { TestJobs } from '@parley/testing';
import { everywhere } from './chat-bench.spec-setup.ts';
import { ConversationLists, deletedChatsToJobs, eraseChat, type Viewer } from '../conversations/index.ts';
import { messageRows, type NewMessage } from '../conversations/message.collection.ts';
import { ConversationEraser } from '../answers/erasure/conversation-eraser.ts';
import { DeletedConversationsService } from '../answers/erasure/deleted-conversations.service.ts';
import { feedbackBench } from '../feedback/feedback-bench.spec-setup.ts';
import { searchOn } from './search-bench.spec-setup.ts';

/** Chats that are deleted, restored and erased, with what people rated in them. */
export async function erasureBench() {
  const bench = await feedbackBench();
  const { mongo, conversations, messages, generations, access, keeping, work, clock } = bench;
  const rows = mongo.rows(messageRows).within(everywhere);
  const service = new DeletedConversationsService(conversations, new ConversationLists(bench.mongo), access, work);
  const { searching } = searchOn(bench);
  const anEraser = () => new ConversationEraser(conversations, keeping, messages, generations, work, clock);
  /** Takes over what an earlier version has deleted. */
  async function takeOver(): Promise<void> {
    for (let at: string | null = null; (at = await deletedChatsToJobs.batch(mongo, at)) !== null;);
  }
  return {
    ...bench,
    anEraser,
    takeOver,
    /** Does all that there is to do now. */
    erase: (eraser = anEraser()) => new TestJobs(bench).with(eraseChat, eraser).run(),
    remove: (viewer: Viewer, { conversation }: Accepted) => keeping.delete(withId(viewer, conversation.id)),
    restore: (viewer: Viewer, { conversation }: Accepted) => keeping.restore(withId(viewer, conversation.id)),
    read: (viewer: Viewer, { conversation }: Accepted) => keeping.read(withId(viewer, conversation.id)),
    eraseNow: (viewer: Viewer, { conversation }: Accepted) => service.erase(withId(viewer, conversation.id)),
    listed: (viewer: Viewer, query: object = { limit: 50 }) => service.list({ ...viewer, query } as never),
    /** The messages that a person's search finds. */
    found: async (viewer: Viewer, q: string): Promise<MessageId[]> =>
      (await searching.search({ ...viewer, query: { q, limit: 20 } } as never)).items.map(({ messageId }) => messageId),
    countOf: ({ conversation }: Accepted): Promise<number> => rows.count({ conversationId: conversation.id }),
    stored: ({ scope }: Viewer, { conversation }: Accepted) => conversations.find(scope, conversation.id),
    /** Changes the row of a conversation as an earlier version, or another process, would. */
    changeRow: async ({ conversation }: Accepted, change: object): Promise<void> => {
      await mongo.connection.collection('conversations').updateOne({ _id: conversation.id as never }, change);
    },
    /** So many more of its row, without messages. */
    copies: async ({ conversation }: Accepted, count: number): Promise<void> => {
      const all = mongo.connection.collection<{ _id: string }>('conversations');
      const row = (await all.findOne({ _id: conversation.id }))!;
      await all.insertMany(Array.from({ length: count }, () => ({ ...row, _id: newId('conversation') })));
      await takeOver();
    },
    /** A chat of two messages and so many more behind them, as given. */
    async aLongChat(viewer: Viewer, count: number, more: Partial<NewMessage> = {}): Promise<Accepted> {
      const asked = await bench.answered(viewer);
      const [row] = await messages.page(viewer.scope, asked.conversation.id, { before: undefined, limit: 1 });
      const rowsBehind = Array.from({ length: count }, (_, at) => ({
        ...(row as NewMessage),
        _id: newId('message'),
        position: 10 + at,
        searchScope: 'tests',
        searchKeys: ['heron'],
        ...more,
      }));
      for (let at = 0; at < count; at += 500) await rows.insertMany(rowsBehind.slice(at, at + 500));
      return asked;
    },
  };
}

const withId = (viewer: Viewer, conversationId: ConversationId) => ({ ...viewer, params: { conversationId } }) as never;
