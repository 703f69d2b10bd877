import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';

type Props = { address: string; onAllowed: () => void };

/** For platform admins: what it means to let providers call an address that is not public, and the way to do it. */
export function AllowAddress({ address, onAllowed }: Props) {
  const { t, rich } = useText();
  const describe = useProblemText();
  const client = useQueryClient();
  const off = useActionOff();
  const allow = useMutation({
    mutationFn: () => api('POST /api/chat/allowed-addresses', { body: { address }, retries: 2 }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: resourceKey('allowed-addresses', null) });
      onAllowed();
    },
  });
  return (
    <Note
      kind="warning"
      actions={
        <Button size="xs" variant="default" loading={allow.isPending} onClick={() => allow.mutate()} {...off}>
          {t(
            { id: 'organisation.allow.act', defaultMessage: 'Allow {address} for this installation' },
            { address: `\u2068${address}\u2069` },
          )}
        </Button>
      }
    >
      {rich(
        {
          id: 'organisation.allow.text',
          defaultMessage:
            'You run this installation, so you can allow {address}. From then on admins of every organisation here can connect it as a model server, and Parley sends chats of theirs to whatever listens there. Only this host and port; you can revoke it under Installation, Network.',
        },
        {
          address: (
            <bdi key="address" dir="ltr">
              {address}
            </bdi>
          ),
        },
      )}{' '}
      {allow.error ? describe(allow.error).text : null}
    </Note>
  );
}
