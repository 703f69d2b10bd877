import { z } from 'zod';
import type { ChatNode, RawBroken, RawChat } from '../chat-node.ts';
import { mapInTurns } from '../in-turns.ts';
import { id, listIn, text, time, unread } from '../json-fields.ts';
import { claudeMessage, contentOf } from './claude-content.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

const row = claudeMessage.extend({ uuid: id, sender: text, created_at: time, parent_message_uuid: id });
const conversation = z.object({ uuid: id, name: text, created_at: time, updated_at: time, chat_messages: unread });

/** The parent of first messages. */
const start = '00000000-0000-4000-8000-000000000000';
const roles: Readonly<Record<string, ChatNode['role']>> = { human: 'person', user: 'person', assistant: 'assistant' };

/** Of exports without parents: two of one side in a row are versions of one message, of which only the last was answered. */
function parentsByOrder(nodes: readonly ChatNode[]): ChatNode[] {
  const withParents: ChatNode[] = [];
  for (const node of nodes) {
    const before = withParents.at(-1);
    const parentId = before?.role === node.role ? before.parentId : (before?.id ?? null);
    withParents.push({ ...node, parentId });
  }
  return withParents;
}

const nodeOf = (message: z.infer<typeof row>, at: number): ChatNode => ({
  ...contentOf(message),
  id: message.uuid ?? `message-${at}`,
  parentId: message.parent_message_uuid === start ? null : message.parent_message_uuid,
  role: roles[message.sender ?? ''] ?? null,
  createdAt: message.created_at,
  model: null,
});

export const claude: SourceReader = {
  source: 'claude',
  isChat: (fields) => fields.has('chat_messages'),
  idOf: (fields) => idIn(fields, 'uuid'),
  async read(value: object, { giveWay }: ReadingContext): Promise<RawChat | RawBroken> {
    const read = conversation.safeParse(value).data;
    if (!read) return { broken: 'not-a-chat', sourceId: null, title: null };
    const { uuid, name, created_at, updated_at, chat_messages } = read;
    let hasParents = false;
    const lists = await mapInTurns(
      listIn(chat_messages),
      (given, at): ChatNode[] => {
        const message = row.safeParse(given).data;
        if (!message) return [];
        hasParents ||= message.parent_message_uuid !== null;
        return [nodeOf(message, at)];
      },
      giveWay,
    );
    const nodes = lists.flat();
    return {
      sourceId: uuid,
      title: name,
      createdAt: created_at,
      updatedAt: updated_at,
      isPinned: false,
      isArchived: false,
      nodes: hasParents ? nodes : parentsByOrder(nodes),
      openId: null,
    };
  },
};
