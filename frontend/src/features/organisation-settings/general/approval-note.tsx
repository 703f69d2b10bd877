import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

/** Says what it means that the organisation isn't approved, and lets its admins ask for approval, once. */
export function ApprovalNote() {
  const { t } = useText();
  const off = useActionOff();
  const describe = useProblemText();
  const client = useQueryClient();
  const { id: orgId, approval } = useTab().organisation;
  const ask = useMutation({
    mutationFn: () => api('POST /api/org/approval-request', { orgId, retries: 2 }),
    onSuccess: () => client.invalidateQueries({ queryKey: resourceKey('organisations', null) }),
  });
  if (approval === 'approved') return null;
  return (
    <Note
      kind="info"
      actions={
        approval === 'requested' ? null : (
          <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate()} {...off}>
            {t({ id: 'organisation.approval.ask', defaultMessage: 'Ask for approval' })}
          </Button>
        )
      }
    >
      {approval === 'requested'
        ? t({
            id: 'organisation.approval.asked',
            defaultMessage:
              'You asked the platform admins to approve this organisation. Until they do, it shares its turns with all others that aren’t approved.',
          })
        : t({
            id: 'organisation.approval.about',
            defaultMessage:
              'This organisation isn’t approved. While Parley is busy, it shares its turns with all others that aren’t approved, so answers, syncs and emails can take longer. A platform admin can approve it.',
          })}
      {ask.error ? <p role="alert">{describe(ask.error).text}</p> : null}
    </Note>
  );
}
