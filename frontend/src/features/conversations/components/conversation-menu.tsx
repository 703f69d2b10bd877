import { Menu } from '../../../ui/menu.tsx';
import type { ConversationId } from '@parley/contracts';
import { Archive, ArchiveRestore, Ellipsis, History, Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { knownConversation } from '../conversation-list.ts';
import { useConversationCommands } from '../conversation-commands.ts';
import { RenameField } from './rename-field.tsx';

const ExportItems = lazyPart(async () => (await import('./export-items.tsx')).ExportItems);

type Named = { conversationId: ConversationId; title: string };

type InHeader = Named & { isArchived: boolean; onRename: () => void; onDeletedMessages: () => void };

/** In the header of the open chat. */
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
  conversationId,
  size,
  label,
  onRename,
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
  onDelete: () => void;
  onDeletedMessages?: () => void;
  canExport?: boolean;
  /** As the open chat knows it: one of the archive is in none of the loaded lists. */
  isArchived?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const off = useActionOff();
  return (
    <Menu position="bottom-end" width={200} onChange={onOpenChange} returnFocus>
      <Menu.Target>
        <IconButton icon={Ellipsis} size={size} label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {off ? <Menu.Label>{off.title}</Menu.Label> : null}
        <Menu.Item leftSection={<Pencil size={16} strokeWidth={1.75} />} onClick={onRename} {...off}>
          {t({ id: 'chat.menu.rename', defaultMessage: 'Rename chat' })}
        </Menu.Item>
        <MarkItems conversationId={conversationId} isArchived={isArchived} />
        {onDeletedMessages ? (
          <Menu.Item leftSection={<History size={16} strokeWidth={1.75} />} onClick={onDeletedMessages}>
            {t({ id: 'chat.deleted.title', defaultMessage: 'Deleted messages' })}
          </Menu.Item>
        ) : null}
        {canExport ? <ExportItems conversationId={conversationId} /> : null}
        <Menu.Item leftSection={<Trash2 size={16} strokeWidth={1.75} />} onClick={onDelete} {...off}>
          {t({ id: 'chat.menu.delete', defaultMessage: 'Delete chat' })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Reads the lists when the menu opens. */
function MarkItems({
  conversationId,
  isArchived,
}: {
  conversationId: ConversationId;
  isArchived: boolean | undefined;
}) {
  const { t } = useText();
  const off = useActionOff();
  const { mark } = useConversationCommands();
  const { pinned = false, archived: wasArchived = false } =
    knownConversation(useQueryClient(), useTab().organisation.id, conversationId) ?? {};
  const archived = isArchived ?? wasArchived;
  const icon = { size: 16, strokeWidth: 1.75 };
  return (
    <>
      <Menu.Item
        leftSection={pinned ? <PinOff {...icon} /> : <Pin {...icon} />}
        onClick={() => void mark(conversationId, { pinned: !pinned })}
        {...off}
      >
        {pinned
          ? t({ id: 'chat.menu.unpin', defaultMessage: 'Unpin chat' })
          : t({ id: 'chat.menu.pin', defaultMessage: 'Pin chat' })}
      </Menu.Item>
      <Menu.Item
        leftSection={archived ? <ArchiveRestore {...icon} /> : <Archive {...icon} />}
        onClick={() => void mark(conversationId, { archived: !archived })}
        {...off}
      >
        {archived
          ? t({ id: 'chat.menu.unarchive', defaultMessage: 'Unarchive chat' })
          : t({ id: 'chat.menu.archive', defaultMessage: 'Archive chat' })}
      </Menu.Item>
    </>
  );
}
