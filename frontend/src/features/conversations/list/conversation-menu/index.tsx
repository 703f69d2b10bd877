import { Menu } from '../../../../ui/menu.tsx';
import type { ConversationId } from '@parley/contracts';
import { Ellipsis, History, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../../lib/lazy-part.tsx';
import { useRight } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { useConversationCommands } from '../../state/conversation-commands.ts';
import { RenameField } from '../rename-field.tsx';

const MarkItems = lazyPart(async () => (await import('../mark-items.tsx')).MarkItems);
const MoveChat = lazyPart(async () => (await import('../move-chat.tsx')).MoveChat);
const ExportItems = lazyPart(async () => (await import('../export-items.tsx')).ExportItems);

type Named = { conversationId: ConversationId; title: string };

type InHeader = Named & { isArchived: boolean; onRename: () => void; onDeletedMessages: () => void };

/** Shows the menu of the open chat in its header. */
export function ConversationMenu({ conversationId, title, isArchived, onRename, onDeletedMessages }: InHeader) {
  const { t } = useText();
  const { remove } = useConversationCommands();
  return (
    <ActionsMenu
      conversationId={conversationId}
      size={32}
      label={t({ id: 'chat.menu.label', defaultMessage: 'Chat actions' })}
      onRename={onRename}
      onDelete={() => remove(conversationId, title)}
      onDeletedMessages={onDeletedMessages}
      isArchived={isArchived}
      canExport
    />
  );
}

/** Replaces the title of the open chat with a field to rename it. */
export function HeaderRename({ conversationId, title, onDone }: Named & { onDone: () => void }) {
  const { rename } = useConversationCommands();
  const done = (next: string | null) => {
    onDone();
    if (next) void rename(conversationId, next);
  };
  return <RenameField isHeader title={title} onDone={done} />;
}

/** Shows the actions on a chat that the person has permissions for. */
export function ActionsMenu({
  conversationId,
  size,
  label,
  onRename,
  onSelect,
  onDelete,
  onDeletedMessages,
  canExport = false,
  isArchived,
  onOpenChange,
}: {
  conversationId: ConversationId;
  size: number;
  label: string;
  onRename: () => void;
  /** Starts to select chats, beginning with this one; only in a list. */
  onSelect?: () => void;
  onDelete: () => void;
  onDeletedMessages?: () => void;
  canExport?: boolean;
  /** Set only by the open chat, because no loaded list contains an archived chat. */
  isArchived?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  const mayUpdate = useRight('chat:update');
  const mayDelete = useRight('chat:delete');
  const [isMoving, setMoving] = useState(false);
  return (
    <>
      <Menu position="bottom-end" width={200} onChange={onOpenChange} returnFocus>
        <Menu.Target>
          <IconButton icon={Ellipsis} size={size} label={label} />
        </Menu.Target>
        <Menu.Dropdown>
          {off ? <Menu.Label>{off.title}</Menu.Label> : null}
          {mayUpdate ? (
            <Menu.Item leftSection={<Pencil />} onClick={onRename} {...off}>
              {t({ id: 'chat.menu.rename', defaultMessage: 'Rename chat' })}
            </Menu.Item>
          ) : null}
          <MarkItems
            conversationId={conversationId}
            isArchived={isArchived}
            onMove={() => setMoving(true)}
            onSelect={onSelect}
          />
          {onDeletedMessages && mayDelete ? (
            <Menu.Item leftSection={<History />} onClick={onDeletedMessages}>
              {t({ id: 'chat.deleted.title', defaultMessage: 'Deleted messages' })}
            </Menu.Item>
          ) : null}
          {canExport ? <ExportItems conversationId={conversationId} /> : null}
          {mayDelete ? (
            <Menu.Item leftSection={<Trash2 />} onClick={onDelete} {...off}>
              {t({ id: 'chat.menu.delete', defaultMessage: 'Delete chat' })}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {isMoving ? <MoveChat conversationId={conversationId} onClose={() => setMoving(false)} /> : null}
    </>
  );
}
