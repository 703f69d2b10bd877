import type { BrokenChat, OpenedExport, ReadChat } from '@parley/chat-exports';
type Reading = {
  readonly from: number;
  /** Returns true where the chat that is read is to blame. */
  readonly isOfChat: (error: unknown) => boolean;
};

const unread: BrokenChat = { kind: 'broken', sourceId: null, title: null, reason: 'internal' };

/** Reads each chat. One that can't be read is a broken one, and the others follow. */
export async function* eachChat(
  opened: OpenedExport,
  { from, isOfChat }: Reading,
): AsyncGenerator<ReadChat | BrokenChat> {
  let at = from;
  let unreadAt = -1;
  for (;;)
    try {
      for await (const chat of opened.chats(at)) {
        at += 1;
        yield chat;
      }
      return;
    } catch (error) {
      // Two of them one behind the other are no fault of a chat.
      if (!isOfChat(error) || unreadAt === at - 1) throw error;
      unreadAt = at;
      at += 1;
      yield unread;
    }
}
