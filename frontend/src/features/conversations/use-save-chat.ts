import { useMutation } from '@tanstack/react-query';
import type { ConversationId, ExportForm } from '@parley/contracts';
import { fetchNamed, saveFile } from '../../lib/download.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Has the browser save a chat under the name that the server gives it. */
export function useSaveChat(conversationId: ConversationId) {
  const orgId = useTab().organisation.id;
  const toast = useToast();
  const describe = useProblemText();
  const { mutate } = useMutation({
    mutationFn: (as: ExportForm) =>
      fetchNamed('GET /api/chat/conversations/:conversationId/export', {
        orgId,
        params: { conversationId },
        query: { as },
      }),
    onSuccess: ({ name, bytes }, as) => saveFile(name ?? (as === 'json' ? 'chat.json' : 'chat.md'), bytes),
    onError: (error) => toast({ text: describe(error).text }),
  });
  return mutate;
}
