import { Menu } from '../../../ui/menu.tsx';
import type { ConversationId } from '@parley/contracts';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useConversationCommands } from '../conversation-commands.ts';
import { RenameField } from './rename-field.tsx';

type Named = { conversationId: ConversationId; title: string };

/** In the header of the open chat. */
export function ConversationMenu({ conversationId, title, onRename }: Named & { onRename: () => void }) {
  const { t } = useText();
  const { remove } = useConversationCommands();
  return (
    <ActionsMenu
      size={32}
      label={t({ id: 'chat.menu.label', defaultMessage: 'Chat actions' })}
      onRename={onRename}
      onDelete={() => remove(conversationId, title)}
    />
  );
}

/** In the place of the open chat's title. */
export function HeaderRename({ conversationId, title, onDone }: Named & { onDone: () => void }) {
  const { rename } = useConversationCommands();
  const done = (next: string | null) => {
    onDone();
    if (next) void rename(conversationId, next);
  };
  return <RenameField isHeader title={title} onDone={done} />;
}

export function ActionsMenu({
  size,
  label,
  onRename,
  onDelete,
  onOpenChange,
}: {
  size: number;
  label: string;
  onRename: () => void;
  onDelete: () => void;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Menu position="bottom-end" width={180} onChange={onOpenChange} returnFocus>
      <Menu.Target>
        <IconButton icon={Ellipsis} size={size} label={label} />
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
