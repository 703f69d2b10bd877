import type { Conversation } from '@parley/contracts';
import { Archive, Download, FolderInput, MailOpen, Pin, PinOff, Trash2, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useMarkMany } from './use-mark-many.ts';
import { useMoveMany } from './use-move-many.tsx';
import { useReadMany } from './use-read-many.ts';
import { useRemoveMany } from './use-remove-many.ts';
import { useSaveMany } from './use-save-many.ts';

export type Act = {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isRed?: true;
  /** Why the action can't be done now; null: it can. */
  readonly off: string | null;
  /** Resolves with the chats that weren't changed, because it failed or was cancelled: they stay selected. */
  run(): Promise<readonly Conversation[]>;
};
type Acts = {
  readonly acts: readonly Act[];
  /** A dialog that an action opens first. */
  readonly question: ReactNode;
};

/** Pins and archives. */
function useMarkActs(chats: readonly Conversation[], off: string | null): Act[] {
  const { t } = useText();
  const mark = useMarkMany();
  const isPinned = chats.length > 0 && chats.every(({ pinned }) => pinned);
  const others = chats.filter(({ pinned = false }) => pinned === isPinned);
  return [
    {
      key: 'pin',
      label: isPinned
        ? t({ id: 'many.act.unpin', defaultMessage: 'Unpin chats' })
        : t({ id: 'many.act.pin', defaultMessage: 'Pin chats' }),
      icon: isPinned ? PinOff : Pin,
      off,
      run: () => mark(others, { pinned: !isPinned }),
    },
    {
      key: 'archive',
      label: t({ id: 'many.act.archive', defaultMessage: 'Archive chats' }),
      icon: Archive,
      off,
      run: () => mark(chats, { archived: true }),
    },
  ];
}

/** Returns the actions on the selected chats that the person has permissions for. */
export function useActs(chats: readonly Conversation[]): Acts {
  const { t } = useText();
  const read = useReadMany();
  const save = useSaveMany();
  const remove = useRemoveMany();
  const mayUpdate = useRight('chat:update');
  const mayDelete = useRight('chat:delete');
  const off = chats.length === 0 ? t({ id: 'many.off.nothing', defaultMessage: 'Select at least one chat' }) : null;
  const updates = useMarkActs(chats, off);
  const { ask, question } = useMoveMany(chats);
  const move: Act = {
    key: 'move',
    label: t({ id: 'many.act.move', defaultMessage: 'Move to project' }),
    icon: FolderInput,
    off,
    run: ask,
  };
  const unread = chats.filter((chat) => chat.unread);
  const noUnread =
    unread.length === 0 ? t({ id: 'many.off.read', defaultMessage: 'The selected chats are read already' }) : null;
  const deletion: Act = {
    key: 'delete',
    label: t({ id: 'many.act.delete', defaultMessage: 'Delete chats' }),
    icon: Trash2,
    isRed: true,
    off,
    run: () => remove(chats),
  };
  const acts = [
    ...(mayUpdate ? [move, ...updates] : []),
    {
      key: 'read',
      label: t({ id: 'many.act.read', defaultMessage: 'Mark as read' }),
      icon: MailOpen,
      off: off ?? noUnread,
      run: () => read(unread),
    },
    {
      key: 'export',
      label: t({ id: 'many.act.export', defaultMessage: 'Export chats' }),
      icon: Download,
      off,
      run: () => save(chats),
    },
    ...(mayDelete ? [deletion] : []),
  ];
  return { acts, question };
}
