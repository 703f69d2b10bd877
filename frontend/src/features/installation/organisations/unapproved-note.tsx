import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import form from '../../../ui/form.module.css';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useToast } from '../../../ui/toast.tsx';
import classes from '../parts/organisations.module.css';

/** No event reaches a page of platform admins, so it asks again. */
const refetchMs = 30_000;

/** Says how many organisations aren't approved, and approves all of them after asking. */
export function UnapprovedNote() {
  const { t } = useText();
  const off = useActionOff();
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery({
    queryKey: resourceKey('all-organisations', null, 'unapproved'),
    queryFn: ({ signal }) => api('GET /api/org/approvals', { signal }),
    refetchInterval: refetchMs,
  });
  const count = data?.unapproved ?? 0;
  if (count === 0) return null;
  return (
    <div className={classes.unapproved}>
      <Note
        kind="info"
        actions={
          <Button variant="default" size="xs" onClick={() => setAsking(true)} {...off}>
            {t({ id: 'installation.approval.all', defaultMessage: 'Approve all' })}
          </Button>
        }
      >
        {t(
          {
            id: 'installation.approval.count',
            defaultMessage:
              '{count, plural, =1000 {At least 1,000 organisations aren’t approved.} one {# organisation isn’t approved.} other {# organisations aren’t approved.}} While Parley is busy, they take turns with each other and share what a single approved organisation has.',
          },
          { count },
        )}
        {isAsking ? <ApproveAllDialog count={count} onClose={() => setAsking(false)} /> : null}
      </Note>
    </div>
  );
}

function ApproveAllDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const approve = useApproveAll(onClose);
  return (
    <Dialog
      title={t(
        {
          id: 'installation.approval.allTitle',
          defaultMessage:
            '{count, plural, =1000 {Approve all organisations?} one {Approve # organisation?} other {Approve # organisations?}}',
        },
        { count },
      )}
      onClose={onClose}
    >
      <div className={form.form}>
        <p className="p-quiet">
          {t({
            id: 'installation.approval.allText',
            defaultMessage:
              'Each gets turns of its own for answers, syncs and emails. You can withdraw an approval on the page of an organisation.',
          })}
        </p>
        <ErrorNote error={approve.error} />
        <div className={form.ends}>
          <Button loading={approve.isPending} onClick={() => approve.mutate()} {...off}>
            {t({ id: 'installation.approval.all', defaultMessage: 'Approve all' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'dialog.confirm.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Goes on until none is left. */
function useApproveAll(onDone: () => void) {
  const { t } = useText();
  const toast = useToast();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      for (let count = 0; ;) {
        const { approved, isMore } = await api('POST /api/org/approvals', { retries: 2 });
        count += approved;
        if (!isMore) return count;
      }
    },
    onSuccess: (count) => {
      onDone();
      toast({
        text: t(
          {
            id: 'installation.approval.done',
            defaultMessage: '{count, plural, one {# organisation approved} other {# organisations approved}}',
          },
          { count },
        ),
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('all-organisations', null) }),
  });
}
