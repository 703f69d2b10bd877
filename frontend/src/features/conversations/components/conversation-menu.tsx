import { Menu } from '@mantine/core';
import type { ConversationId } from '@parley/contracts';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useConversationCommands } from '../conversation-commands.ts';
import { RenameField } from './rename-field.tsx';
import classes from './conversation-list.module.css';

/** In the header of the open chat. */
export function ConversationMenu({ conversationId, title }: { conversationId: ConversationId; title: string }) {
  const { rename, remove } = useConversationCommands();
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) {
    const done = (next: string | null) => {
      setRenaming(false);
      if (next) void rename(conversationId, next);
    };
    return (
      <span className={classes.headerRename}>
        <RenameField title={title} onDone={done} />
      </span>
    );
  }
  return <ActionsMenu size={32} onRename={() => setRenaming(true)} onDelete={() => remove(conversationId, title)} />;
}

export function ActionsMenu({
  size,
  onRename,
  onDelete,
  onOpenChange,
}: {
  size: number;
  onRename: () => void;
  onDelete: () => void;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Menu position="bottom-end" width={180} onChange={onOpenChange} returnFocus>
      <Menu.Target>
        <IconButton icon={Ellipsis} size={size} label={t({ id: 'chat.menu.label', defaultMessage: 'Chat actions' })} />
      </Menu.Target>
      <Menu.Dropdown>
        {off ? <Menu.Label>{off.title}</Menu.Label> : null}
        <Menu.Item leftSection={<Pencil size={16} strokeWidth={1.75} />} onClick={onRename} {...off}>
          {t({ id: 'chat.menu.rename', defaultMessage: 'Rename chat' })}
        </Menu.Item>
        <Menu.Item leftSection={<Trash2 size={16} strokeWidth={1.75} />} onClick={onDelete} {...off}>
          {t({ id: 'chat.menu.delete', defaultMessage: 'Delete chat' })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
