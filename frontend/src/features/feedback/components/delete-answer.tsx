import type { CuratedAnswer } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Asks, for what was written is gone. */
export function DeleteAnswer({ answer, onClose }: { answer: CuratedAnswer; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE /api/chat/curated-answers/:curatedAnswerId', { orgId, params: { curatedAnswerId: answer.id } }),
    onSettled: async (_done, error) => {
      await client.invalidateQueries({ queryKey: resourceKey('curated-answers', orgId) });
      if (!error || isProblem(error, 'chat.curated-answer-not-found')) onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t({ id: 'feedback.curated.deleteTitle', defaultMessage: 'Delete this curated answer?' })}
      confirm={t({ id: 'feedback.curated.delete', defaultMessage: 'Delete curated answer' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t(
        {
          id: 'feedback.curated.deleteText',
          defaultMessage:
            '“{question}” is then answered from documents again. Answers that cite it keep their text. To keep it for later, turn it off instead.',
        },
        { question: `\u2068${answer.questions[0] ?? ''}\u2069` },
      )}
    </ConfirmDialog>
  );
}
