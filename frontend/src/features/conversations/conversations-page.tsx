import type { ConversationId } from '@parley/contracts';
import { useParams } from 'react-router-dom';
import { useText } from '../../lib/text.ts';
import { Conversation } from './components/conversation.tsx';
import { NewChat } from './components/new-chat.tsx';
import { ConversationGone } from './components/conversation-gone.tsx';

const conversationId = /^cnv_[0-9A-HJKMNP-TV-Z]{26}$/;

/** `chat` and `chat/{id}`. */
export function ConversationsPage() {
  const { id } = useParams();
  const { t } = useText();
  if (id === undefined) return <NewChat />;
  if (!conversationId.test(id))
    return <ConversationGone title={t({ id: 'chat.page.gone', defaultMessage: 'Chat not found' })} />;
  return <Conversation key={id} conversationId={id as ConversationId} />;
}
