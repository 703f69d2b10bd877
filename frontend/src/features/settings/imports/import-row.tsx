import { Button } from '@mantine/core';
import type { ChatImport } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { StatusShape, type StatusKind } from '../../../ui/status-shape.tsx';
import { AllChatsActs } from './all-chats.tsx';
import { useImportActs } from './import-acts.ts';
import { sourceNames, useImportName } from './import-words.ts';
import { ShowLosses } from './losses.tsx';
import { Parts } from './parts.tsx';
import classes from './imports.module.css';

const shapes: Partial<Record<ChatImport['status'], StatusKind>> = { done: 'ok', stopped: 'waiting' };

/** An import that has ended, and what has come of it. */
export function ImportRow({ item }: { readonly item: ChatImport }) {
  const { t } = useText();
  const { minute } = useFormats();
  const off = useActionOff();
  const nameOf = useImportName();
  const acts = useImportActs(item);
  const { source, status, imported } = item;
  const name = nameOf(item);
  // The job that deletes or restores its chats needs it.
  const isMoving = item.chats !== undefined && item.chats.state !== 'deleted';
  const told = [
    source && sourceNames[source],
    minute(item.createdAt),
    imported.chats === 0 && imported.messages > 0
      ? null
      : t(
          {
            id: 'settings.import.over.chats',
            defaultMessage: '{chats, plural, =0 {no new chats} one {# chat} other {# chats}}',
          },
          imported,
        ),
    t(
      { id: 'settings.import.over.messages', defaultMessage: '{messages, plural, one {# message} other {# messages}}' },
      imported,
    ),
    t({ id: 'settings.import.over.files', defaultMessage: '{files, plural, one {# file} other {# files}}' }, imported),
    item.chats?.state === 'deleted' ? t({ id: 'settings.import.over.deleted', defaultMessage: 'chats deleted' }) : null,
    status === 'stopped' ? t({ id: 'settings.import.over.stopped', defaultMessage: 'stopped before the end' }) : null,
  ];
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <span className={classes.state}>
          <StatusShape kind={shapes[status] ?? 'ok'} />
          <bdi className={classes.name}>{name}</bdi>
        </span>
        <span className="p-sm p-quiet">
          <Parts of={told} />
        </span>
      </div>
      <div className={classes.acts}>
        <AllChatsActs item={item} />
        {item.losses > 0 ? <ShowLosses item={item} /> : null}
        <Button
          variant="subtle"
          size="xs"
          aria-label={t({ id: 'settings.import.removeOf', defaultMessage: 'Remove {name} from this list' }, { name })}
          loading={acts.isBusy}
          onClick={acts.remove}
          {...(isMoving ? { disabled: true } : off)}
        >
          {t({ id: 'settings.import.remove', defaultMessage: 'Remove' })}
        </Button>
      </div>
    </li>
  );
}
