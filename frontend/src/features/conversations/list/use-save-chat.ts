import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConversationId, ExportForm } from '@parley/contracts';
import { leafOf, type ConversationStreamState } from '../../../domain/conversation/conversation-stream-state.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { fetchNamed, saveFile } from '../../../lib/download.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useErrorToast } from '../../../ui/error-toast.ts';
import { useToast } from '../../../ui/toast.tsx';
import { conversationKey } from '../state/messages.ts';

/** A file in one of the export formats, or Markdown on the clipboard. */
export type ChatCopy = ExportForm | 'clipboard';

/** Saves the open path of a chat to a file, which the server names, or copies it to the clipboard. */
export function useSaveChat(conversationId: ConversationId) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { mutate } = useMutation({
    mutationFn: async (to: ChatCopy) => {
      const as = to === 'clipboard' ? 'markdown' : to;
      // Save the path that is shown here: another device may have moved the stored position.
      const state = client.getQueryData<ConversationStreamState>(conversationKey(orgId, conversationId));
      const leaf = (as === 'markdown' && state && leafOf(state)) || undefined;
      const call = { orgId, params: { conversationId }, query: { as, leaf } };
      const { name, bytes } = await fetchNamed('GET /api/chat/conversations/:conversationId/export', call);
      if (to !== 'clipboard') return saveFile(name ?? (as === 'json' ? 'chat.json' : 'chat.md'), bytes);
      const isCopied = await copyText(new TextDecoder().decode(bytes));
      toast({
        text: isCopied
          ? t({ id: 'talk.export.copied', defaultMessage: 'Chat copied' })
          : t({ id: 'talk.export.refused', defaultMessage: "Your browser didn't copy the chat. Export it instead." }),
      });
    },
    onError: showError,
  });
  return mutate;
}
