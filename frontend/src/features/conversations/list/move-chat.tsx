import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Conversation, ConversationId } from '@parley/contracts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { MovePicker } from '../moving/move-picker.tsx';
import { useMoveChat } from '../moving/use-move-chats.tsx';
import { fetchConversation, knownConversation } from '../state/conversation-list.ts';

type Props = { conversationId: ConversationId; onClose: () => void };

/** Asks where to move a chat, and moves it. */
export const MoveChat = (props: Props) => (
  <LateTexts part="project">
    <Moving {...props} />
  </LateTexts>
);

function Moving({ conversationId, onClose }: Props) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const showError = useErrorToast();
  const move = useMoveChat();
  const read = (): Promise<Conversation> => fetchConversation(orgId, conversationId);
  const known = () => knownConversation(client, orgId, conversationId);
  const { data } = useQuery({
    queryKey: resourceKey('conversations', orgId, 'to-move', conversationId),
    queryFn: read,
    initialData: known,
  });
  return (
    <MovePicker
      current={data && (data.projectId ?? null)}
      onClose={onClose}
      onMove={(project) => {
        const chat = data ? Promise.resolve(data) : read();
        chat.then((found) => move(found, project), showError);
      }}
    />
  );
}
