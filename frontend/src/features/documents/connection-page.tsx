import { Button } from '@mantine/core';
import type { Connection } from '@parley/contracts';
import { ArrowLeft, MoreHorizontal, Pause, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useText } from '../../lib/text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { LivePage } from '../../ui/page.tsx';
import { SideBySide, SidePanel } from '../../ui/side-panel.tsx';
import { useActionOff } from '../../ui/stale.tsx';
import { ConnectionFacts } from './components/connection-facts.tsx';
import { ConnectionForm } from './components/connection-form.tsx';
import { DeleteConnection } from './components/delete-connection.tsx';
import { DocumentList } from './components/document-list.tsx';
import { SyncFunnel } from './components/sync-funnel.tsx';
import { TitleChip } from '../../ui/title-chip.tsx';
import { useConnectionName, useStateWords } from './connection-words.ts';
import type { UploadParts } from './upload-parts.ts';
import { useConnectionCommands } from './use-connections.ts';

type Props = {
  connection: Connection;
  mayManage: boolean;
  onBack: () => void;
  /** Null where it takes no uploads, or nobody may upload. */
  upload: UploadParts | null;
  /** The document that is open: in place of what is beside the list. */
  reader: ReactNode;
};
type Panel = 'facts' | 'change' | null;

/** One connection: how far its sync is, its documents, and beside them what it reads and for whom. */
export function ConnectionPage({ connection, mayManage, onBack, upload, reader }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const nameOf = useConnectionName();
  const { shape, name: state } = useStateWords()(connection);
  const isWide = matchMedia('(min-width: 1100px)').matches;
  const [panel, setPanel] = useState<Panel>(isWide ? 'facts' : null);
  const [isDeleting, setDeleting] = useState(false);
  const name = nameOf(connection);
  const about = t({ id: 'documents.connection.about', defaultMessage: 'About {name}' }, { name });
  return (
    <LivePage
      title={<TitleChip name={name} state={{ kind: shape, words: state }} />}
      documentTitle={name}
      before={
        <IconButton
          icon={ArrowLeft}
          isMirrored
          label={t({ id: 'documents.connection.back', defaultMessage: 'All data connections' })}
          onClick={onBack}
        />
      }
      actions={
        <>
          {upload?.button ?? <SyncButton connection={connection} mayManage={mayManage} />}
          <More
            connection={connection}
            mayManage={mayManage}
            onFacts={() => setPanel('facts')}
            onDelete={() => setDeleting(true)}
          />
        </>
      }
    >
      <SideBySide
        panel={
          reader ??
          (panel === null ? null : (
            <SidePanel
              key={panel}
              title={
                panel === 'change'
                  ? t({ id: 'documents.connection.change', defaultMessage: 'Change connection' })
                  : about
              }
              isForm={panel === 'change'}
              onClose={() => setPanel(panel === 'change' && isWide ? 'facts' : null)}
            >
              {panel === 'change' ? (
                <ConnectionForm
                  connection={connection}
                  onDone={() => setPanel('facts')}
                  onClose={() => setPanel('facts')}
                />
              ) : (
                <ConnectionFacts connection={connection} mayManage={mayManage} onChange={() => setPanel('change')} />
              )}
            </SidePanel>
          ))
        }
      >
        {upload?.list}
        <SyncFunnel connection={connection} mayManage={mayManage} />
        <DocumentList
          connection={connection}
          hasUploads={upload?.isBusy ?? false}
          onUpload={upload && !off ? upload.onChoose : null}
          onReplace={upload?.onReplace ?? null}
        />
      </SideBySide>
      {isDeleting ? (
        <DeleteConnection connection={connection} onDeleted={onBack} onClose={() => setDeleting(false)} />
      ) : null}
    </LivePage>
  );
}

/** The one thing that most come for: begin a sync, or go on after a pause. */
function SyncButton({ connection, mayManage }: { connection: Connection; mayManage: boolean }) {
  const { t } = useText();
  const off = useActionOff();
  const { sync, pause } = useConnectionCommands(connection);
  const { source, state } = connection;
  if (!mayManage || source.kind === 'upload') return null;
  if (state === 'paused')
    return (
      <Button leftSection={<Play />} loading={pause.isPending} onClick={() => pause.mutate(false)} {...off}>
        {t({ id: 'documents.connection.resume', defaultMessage: 'Resume syncs' })}
      </Button>
    );
  if (state === 'syncing' || state === 'waiting')
    return (
      <Button
        variant="default"
        leftSection={<Pause />}
        loading={pause.isPending}
        onClick={() => pause.mutate(true)}
        {...off}
      >
        {t({ id: 'documents.connection.pause', defaultMessage: 'Pause syncs' })}
      </Button>
    );
  return (
    <Button leftSection={<RefreshCw />} loading={sync.isPending} onClick={() => sync.mutate()} {...off}>
      {t({ id: 'documents.connection.sync', defaultMessage: 'Sync now' })}
    </Button>
  );
}

type MoreProps = { connection: Connection; mayManage: boolean; onFacts: () => void; onDelete: () => void };

function More({ connection, mayManage, onFacts, onDelete }: MoreProps) {
  const { t } = useText();
  const off = useActionOff();
  const { pause } = useConnectionCommands(connection);
  const { state, source, isDefault } = connection;
  const mayPause = mayManage && source.kind !== 'upload' && state !== 'paused' && state !== 'syncing';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton
          icon={MoreHorizontal}
          label={t({ id: 'documents.connection.more', defaultMessage: 'More about this connection' })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onFacts}>
          {t({ id: 'documents.connection.facts', defaultMessage: 'Show settings and test a search' })}
        </Menu.Item>
        {mayPause && !off ? (
          <Menu.Item leftSection={<Pause />} onClick={() => pause.mutate(true)}>
            {t({ id: 'documents.connection.pause', defaultMessage: 'Pause syncs' })}
          </Menu.Item>
        ) : null}
        {mayManage && !isDefault && !off ? (
          <Menu.Item color="red" leftSection={<Trash2 />} onClick={onDelete}>
            {t({ id: 'documents.connection.delete', defaultMessage: 'Delete connection' })}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
