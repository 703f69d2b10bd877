import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/http.ts';
import { LateTexts } from '../lib/late-texts.tsx';
import { useProblemText } from '../lib/problem-texts.ts';
import { resourceKey } from '../lib/query-keys.ts';
import { useText } from '../lib/text.ts';
import classes from './allow-address.module.css';
import { Note } from './note.tsx';
import { useActionOff } from './stale.tsx';

type Props = {
  /** The URL that was called: its host and port are allowed. */
  url: string;
  onAllowed: () => void;
};

/** For platform admins: what it means to let Parley call an address that is not public, and the way to do it. */
export const AllowAddress = (props: Props) => (
  <LateTexts part="allow">
    <Allow {...props} />
  </LateTexts>
);

function Allow({ url, onAllowed }: Props) {
  const address = hostAndPortOf(url);
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
        <Button
          size="xs"
          variant="default"
          classNames={{ root: classes.allow ?? '', label: classes.label ?? '' }}
          loading={allow.isPending}
          onClick={() => allow.mutate()}
          {...off}
        >
          {t(
            { id: 'allow.address.act', defaultMessage: 'Allow {address} for this installation' },
            { address: `\u2068${address}\u2069` },
          )}
        </Button>
      }
    >
      {rich(
        {
          id: 'allow.address.text',
          defaultMessage:
            'You run this installation, so you can allow {address}. Then admins of every organisation here can connect it as a model server, a web site or a bucket, and Parley sends their requests and chats to whatever listens there. Only this host and port; you can revoke it under Installation, Network.',
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

/** As the server allows it: with the port that it goes to. */
function hostAndPortOf(url: string): string {
  const { hostname, port, protocol } = new URL(url.trim());
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
