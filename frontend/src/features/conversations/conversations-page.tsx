import type { ConversationId } from '@parley/contracts';
import { useParams } from 'react-router-dom';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { Conversation } from './talk/conversation.tsx';
import { NewChat } from './start/new-chat.tsx';

const ConversationGone = lazyPart(async () => (await import('./talk/conversation-gone.tsx')).ConversationGone);
const conversationId = /^cnv_[0-9A-HJKMNP-TV-Z]{26}$/;

/** `chat` and `chat/{id}`. */
export function ConversationsPage() {
  const { id } = useParams();
  if (id === undefined) return <NewChat />;
  if (!conversationId.test(id)) return <ConversationGone />;
  return <Conversation key={id} conversationId={id as ConversationId} />;
}
