import { useQueryClient } from '@tanstack/react-query';
import type { ProjectId } from '@parley/contracts';
import { useNavigate } from 'react-router-dom';
import { emptyConversation } from '../../../domain/conversation/conversation-stream-state.ts';
import { newId } from '../../../lib/new-id.ts';
import { usePaths } from '../../../lib/paths.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useAsk, useDraft } from './composing.ts';
import { conversationKey } from './messages.ts';
import { noQueue, queueKey } from './queue.ts';

/** Returns a function that begins a chat with the question of this draft, and opens the chat. */
export function useBeginChat(where: 'new' | ProjectId) {
  const paths = usePaths();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { organisation } = useTab();
  const [, setText] = useDraft(where);
  const ask = useAsk();
  return (question: Parameters<typeof ask>[1]) => {
    const id = newId('conversation');
    // The server can't know this chat yet, so put an empty one into the cache instead of fetching.
    client.setQueryData(conversationKey(organisation.id, id), emptyConversation(id));
    client.setQueryData(queueKey(organisation.id, id), noQueue);
    setText('', ask(id, { ...question, ...(where !== 'new' && { projectId: where }) }));
    void navigate(paths.to('chat/:id', { id }));
  };
}
