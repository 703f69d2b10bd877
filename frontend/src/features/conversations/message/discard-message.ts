import { useQueryClient } from '@tanstack/react-query';
import type { Message, MessageId } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useConversationCommands } from '../state/conversation-commands.ts';
import { versionsOf } from '../../../domain/conversation/conversation-path.ts';
import { applyMessages, type ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { conversationKey } from '../state/messages.ts';
import { isUnsent, exchangesOf, withoutDiscarded } from '../state/exchanges.ts';

/**
 * Returns a function that discards the question of a refused answer, with Undo; null if a model was asked that
 * question.
 */
export function useDiscard({ conversationId, parentId }: Message): (() => void) | null {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { t } = useText();
  const { remove } = useConversationCommands();
  const key = conversationKey(orgId, conversationId);
  const state = client.getQueryData<ConversationStreamState>(key);
  const exchanges = exchangesOf(withoutDiscarded(state?.messages ?? []));
  const exchange = exchanges.find(({ question }) => question?.id === parentId);
  if (!state || !exchange?.question || !exchange.answer || !isUnsent(exchange.answer)) return null;
  // Offer nothing: another version of the answer may have reached a model.
  if (versionsOf(state.versions, exchange.answer)) return null;
  const set = (messageId: MessageId, isDiscarded: boolean, undo?: () => void) =>
    api('PUT /api/chat/conversations/:conversationId/messages/:messageId/discarded', {
      orgId,
      params: { conversationId, messageId },
      body: { isDiscarded },
      retries: 3,
    }).then((message) => {
      client.setQueryData<ConversationStreamState>(key, (known) => known && applyMessages(known, [message]));
      if (undo) toast({ text: t({ id: 'chat.budget.discarded', defaultMessage: 'The message was discarded.' }), undo });
    }, showError);
  const { id } = exchange.question;
  return () => {
    // Delete the chat, too, if this is its only exchange.
    if (exchanges.length === 1 && !state.hasOlder) remove(conversationId, state.title);
    else void set(id, true, () => void set(id, false));
  };
}
