import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import type { PendingSend } from '../pending-sends.ts';
import classes from './composer.module.css';

/** Messages that wait for the present answer sit on top of the composer. */
export function NextTray({
  items,
  onEdit,
  onRemove,
}: {
  items: readonly PendingSend[];
  onEdit: (item: PendingSend) => void;
  onRemove: (item: PendingSend) => void;
}) {
  const { t } = useText();
  if (items.length === 0) return null;
  return (
    <ul className={classes.tray} aria-label={t({ id: 'chat.tray.label', defaultMessage: 'Waiting messages' })}>
      {items.map((item) => (
        <li key={item.messageId} className={classes.queued}>
          <StatusShape kind="waiting" />
          <span>{t({ id: 'chat.tray.next', defaultMessage: 'Next' })}</span>
          <span className={classes.queuedText} dir="auto">
            {item.text}
          </span>
          <Button variant="subtle" size="xs" onClick={() => onEdit(item)}>
            {t({ id: 'chat.pending.edit', defaultMessage: 'Edit message' })}
          </Button>
          <IconButton
            icon={X}
            label={t({ id: 'chat.tray.remove', defaultMessage: 'Remove this message' })}
            onClick={() => onRemove(item)}
          />
        </li>
      ))}
    </ul>
  );
}
