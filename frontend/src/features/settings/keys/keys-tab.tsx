import { Button } from '@mantine/core';
import type { ApiKey } from '@parley/contracts';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { ConnectDialog } from './connect-dialog.tsx';
import { ConnectLine } from './connect-line.tsx';
import { CreateKeyDialog, type MadeKey } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { MadeKeyNote } from './made-key-note.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import classes from '../parts/settings.module.css';

type Open =
  | { readonly kind: 'create'; readonly like: ApiKey | null }
  | { readonly kind: 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'connect' };

/** One's own API keys in the organisation of the tab. */
export function KeysTab() {
  const { t } = useText();
  const list = useList('GET /api/auth/my-api-keys');
  const [open, setOpen] = useState<Open | null>(null);
  const [made, setMade] = useState<MadeKey | null>(null);
  const close = () => setOpen(null);
  const create = () => setOpen({ kind: 'create', like: null });
  const connect = () => setOpen({ kind: 'connect' });
  return (
    <>
      {made ? <MadeKeyNote made={made} onClose={() => setMade(null)} /> : null}
      <ListView
        list={list}
        loading={t({ id: 'settings.keys.loading', defaultMessage: 'The API keys are loading' })}
        failed={t({ id: 'settings.keys.failed', defaultMessage: 'The API keys could not be loaded' })}
        empty={<NoKeys onCreate={create} onConnect={connect} />}
        foot={<ConnectLine onConnect={connect} />}
      >
        {(items) => (
          <>
            <div className={table.bar}>
              <p className={`p-sm p-quiet ${classes.rule}`}>
                {t({
                  id: 'settings.keys.rule',
                  defaultMessage:
                    'A key can do at most what you can, in this organisation. When you lose a right, the key loses it within a second.',
                })}
              </p>
              <CreateButton onClick={create} />
            </div>
            <KeyTable
              items={items}
              newId={made?.key.id ?? null}
              onReplace={(like) => setOpen({ kind: 'create', like })}
              onRevoke={(key) => setOpen({ kind: 'revoke', key })}
            />
          </>
        )}
      </ListView>
      {open?.kind === 'create' ? <CreateKeyDialog like={open.like} onMade={setMade} onClose={close} /> : null}
      {open?.kind === 'connect' ? <ConnectDialog onClose={close} /> : null}
      {open?.kind === 'revoke' ? <RevokeKeyDialog apiKey={open.key} onClose={close} /> : null}
    </>
  );
}

function CreateButton({ onClick }: { onClick: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Button variant="default" leftSection={<Plus />} onClick={onClick} {...off}>
      {t({ id: 'settings.keys.create', defaultMessage: 'Create key' })}
    </Button>
  );
}

function NoKeys({ onCreate, onConnect }: { onCreate: () => void; onConnect: () => void }) {
  const { t } = useText();
  return (
    <StateView
      icon={KeyRound}
      title={t({ id: 'settings.keys.empty', defaultMessage: 'No API keys yet' })}
      actions={<CreateButton onClick={onCreate} />}
    >
      {t({
        id: 'settings.keys.emptyText',
        defaultMessage: 'With a key, a program of yours works here as you: it asks, reads and uploads.',
      })}
      <ConnectLine onConnect={onConnect} />
    </StateView>
  );
}
