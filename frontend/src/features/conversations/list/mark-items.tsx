import type { ConversationId } from '@parley/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, FolderInput, ListChecks, Pin, PinOff } from 'lucide-react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useConversationCommands } from '../state/conversation-commands.ts';
import { knownConversation } from '../state/conversation-list.ts';

type Props = {
  conversationId: ConversationId;
  isArchived: boolean | undefined;
  onMove: () => void;
  onSelect: (() => void) | undefined;
};

/** The entries of a chat's menu that pin, move, archive or select it. Reads lists when the menu opens. */
export const MarkItems = (props: Props) => (
  <LateTexts part="talk">
    <Items {...props} />
  </LateTexts>
);

function Items({ conversationId, isArchived, onMove, onSelect }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const mayUpdate = useRight('chat:update');
  const { mark } = useConversationCommands();
  const { pinned = false, archived: wasArchived = false } =
    knownConversation(useQueryClient(), useTab().organisation.id, conversationId) ?? {};
  const archived = isArchived ?? wasArchived;
  return (
    <>
      {mayUpdate ? (
        <>
          <Menu.Item
            leftSection={pinned ? <PinOff /> : <Pin />}
            onClick={() => void mark(conversationId, { pinned: !pinned })}
            {...off}
          >
            {pinned
              ? t({ id: 'talk.menu.unpin', defaultMessage: 'Unpin chat' })
              : t({ id: 'talk.menu.pin', defaultMessage: 'Pin chat' })}
          </Menu.Item>
          <Menu.Item leftSection={<FolderInput />} onClick={onMove} {...off}>
            {t({ id: 'talk.menu.move', defaultMessage: 'Move to project…' })}
          </Menu.Item>
          <Menu.Item
            leftSection={archived ? <ArchiveRestore /> : <Archive />}
            onClick={() => void mark(conversationId, { archived: !archived })}
            {...off}
          >
            {archived
              ? t({ id: 'talk.menu.unarchive', defaultMessage: 'Unarchive chat' })
              : t({ id: 'talk.menu.archive', defaultMessage: 'Archive chat' })}
          </Menu.Item>
        </>
      ) : null}
      {onSelect ? (
        <Menu.Item leftSection={<ListChecks />} onClick={onSelect}>
          {t({ id: 'talk.menu.select', defaultMessage: 'Select chats' })}
        </Menu.Item>
      ) : null}
    </>
  );
}
