import { Button } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { keepDeletedDays } from '@parley/contracts/names';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useImportName } from './import-words.ts';
import { useImportedChatActs, useOneImport } from './use-imported-chats.ts';
import classes from './imports.module.css';

type Props = { readonly item: ChatImport };

/** Shows all chats of an import that has ended, deletes them, and restores them. */
export function AllChatsActs({ item }: Props) {
  const { t } = useText();
  const paths = usePaths();
  const nameOf = useImportName();
  if (item.imported.chats === 0) return null;
  return (
    <>
      {item.chats?.state === 'deleted' ? null : (
        <Button
          component={Link}
          variant="default"
          size="xs"
          to={paths.within(paths.to('settings'), { tab: 'data', import: item.id })}
          aria-label={t(
            { id: 'settings.import.chats.showOf', defaultMessage: 'Show chats of {name}' },
            { name: nameOf(item) },
          )}
        >
          {t({ id: 'settings.import.chats.show', defaultMessage: 'Show chats' })}
        </Button>
      )}
      <DeleteAllChats item={item} />
    </>
  );
}

/** Deletes all chats of an import; then says what becomes of them, and restores them. */
export function DeleteAllChats({ item }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const mayDelete = useRight('chat:delete');
  const [isAsking, setAsking] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const acts = useImportedChatActs(item);
  const { state, restorableUntil = null } = item.chats ?? {};
  if (state === 'deleting' || state === 'restoring')
    return (
      <span className={`p-sm p-quiet ${classes.state}`}>
        <StatusShape kind="running" />
        {state === 'deleting'
          ? t({ id: 'settings.import.chats.deleting', defaultMessage: 'Deleting chats…' })
          : t({ id: 'settings.import.chats.restoring', defaultMessage: 'Restoring chats…' })}
      </span>
    );
  if (!mayDelete || item.imported.chats === 0) return null;
  if (state === 'deleted')
    return restorableUntil !== null && Date.parse(restorableUntil) > openedAt ? (
      <Button
        variant="default"
        size="xs"
        loading={acts.restoring.isPending}
        onClick={() => acts.restoring.mutate()}
        {...off}
      >
        {t({ id: 'settings.import.chats.restore', defaultMessage: 'Restore chats' })}
      </Button>
    ) : null;
  return (
    <>
      <Button variant="subtle" size="xs" color="red" onClick={() => setAsking(true)} {...off}>
        {t({ id: 'settings.import.chats.delete', defaultMessage: 'Delete all chats' })}
      </Button>
      {isAsking ? <DeleteDialog item={item} deleting={acts.deleting} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

type Asking = Props & {
  readonly deleting: ReturnType<typeof useImportedChatActs>['deleting'];
  readonly onClose: () => void;
};

function DeleteDialog({ item, deleting, onClose }: Asking) {
  const { t, rich } = useText();
  const nameOf = useImportName();
  const { data } = useOneImport(item.id);
  const count = data?.here ?? item.imported.chats;
  return (
    <ConfirmDialog
      title={t(
        {
          id: 'settings.import.chats.deleteTitle',
          defaultMessage: '{count, plural, =0 {Delete no chats?} one {Delete # chat?} other {Delete # chats?}}',
        },
        { count },
      )}
      confirm={t({ id: 'settings.import.chats.deleteConfirm', defaultMessage: 'Delete chats' })}
      act={deleting}
      onConfirm={() => deleting.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {rich(
        {
          id: 'settings.import.chats.deleteText',
          defaultMessage:
            'All chats that {name} brought are deleted, also those with newer messages. You can restore them for {days, plural, one {# day} other {# days}}. Projects stay.',
        },
        { name: <bdi key="name">{nameOf(item)}</bdi>, days: keepDeletedDays },
      )}
    </ConfirmDialog>
  );
}
