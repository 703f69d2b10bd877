import type { Conversation, ConversationId } from '@parley/contracts';
import { GitFork } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useText } from '../../../lib/text.ts';
import { RunningMark } from '../../../domain/conversation/running-mark.tsx';
import { UnreadDot } from '../../../domain/conversation/unread-dot.tsx';
import { useConversationCommands } from '../state/conversation-commands.ts';
import { ActionsMenu } from './conversation-menu/index.tsx';
import { RenameField } from './rename-field.tsx';
import classes from './conversation-list.module.css';

type Props = {
  conversation: Conversation;
  path: string;
  isCurrent: boolean;
  isActive: boolean;
  /** Null: not selecting. */
  isSelected: boolean | null;
  onToggle: (id: ConversationId) => void;
  onSelect: (id: ConversationId) => void;
};

/** Shows a chat of the list: a link with its menu, or a checkbox to select it. */
export const Row = memo(function Row(props: Props) {
  const { conversation, path, isCurrent, isActive, isSelected, onToggle, onSelect } = props;
  const [isRenaming, setRenaming] = useState(false);
  // Keep a menu that was opened in the row: it gets the focus back when it closes.
  const [hasMenu, setHasMenu] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const renamed = (isByKey: boolean) => {
    flushSync(() => setRenaming(false));
    if (isByKey) link.current?.focus();
  };
  if (isRenaming)
    return (
      <li className={classes.row}>
        <Renaming conversation={conversation} onDone={renamed} />
      </li>
    );
  // A person who has the chat open sees new answers, so it isn't marked.
  const isUnread = conversation.unread === true && !isCurrent;
  const isQuiet = isActive && isSelected === null;
  const words = (
    <>
      {conversation.branchedFrom ? <BranchMark /> : null}
      <bdi className={`p-one-line ${classes.title}`}>{conversation.title}</bdi>
      {isUnread ? <UnreadWord /> : null}
      {isQuiet ? null : conversation.running ? (
        <RunningMark className={classes.running} />
      ) : isUnread ? (
        <UnreadDot />
      ) : null}
    </>
  );
  const styles = { className: classes.link, 'data-unread': isUnread || undefined, title: conversation.title };
  return (
    <li className={classes.row} data-id={conversation.id} data-selected={isSelected ?? undefined}>
      {isSelected === null ? (
        <a ref={link} href={path} aria-current={isCurrent ? 'page' : undefined} {...styles}>
          {words}
        </a>
      ) : (
        <label {...styles}>
          <input
            type="checkbox"
            className={classes.box}
            checked={isSelected}
            onChange={() => onToggle(conversation.id)}
          />
          {words}
        </label>
      )}
      {isSelected === null && (isActive || hasMenu) ? (
        <RowMenu
          conversation={conversation}
          onRename={() => setRenaming(true)}
          onSelect={() => onSelect(conversation.id)}
          onOpenChange={(isOpen) => isOpen && setHasMenu(true)}
        />
      ) : null}
    </li>
  );
});

function Renaming({ conversation, onDone }: { conversation: Conversation; onDone: (isByKey: boolean) => void }) {
  const { rename } = useConversationCommands();
  const done = (title: string | null, isByKey: boolean) => {
    onDone(isByKey);
    if (title) void rename(conversation.id, title);
  };
  return <RenameField title={conversation.title} onDone={done} />;
}

function RowMenu({
  conversation,
  onRename,
  onSelect,
  onOpenChange,
}: {
  conversation: Conversation;
  onRename: () => void;
  onSelect: () => void;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const { remove } = useConversationCommands();
  return (
    <span className={classes.actions}>
      <ActionsMenu
        conversationId={conversation.id}
        size={26}
        label={t({ id: 'chat.menu.of', defaultMessage: 'Actions for {title}' }, { title: conversation.title })}
        onRename={onRename}
        onSelect={onSelect}
        onDelete={() => remove(conversation.id, conversation.title)}
        onOpenChange={onOpenChange}
      />
    </span>
  );
}

/** Marks a branch, because it has the title of its source until one of them is renamed. */
function BranchMark() {
  const { t } = useText();
  const words = t({ id: 'chat.history.branch', defaultMessage: 'Branch' });
  return (
    <span className={classes.branch} title={words}>
      <GitFork size={14} />
      <span className="p-hidden">{words}</span>
    </span>
  );
}

function UnreadWord() {
  const { t } = useText();
  return <span className="p-hidden">{t({ id: 'chat.history.unread', defaultMessage: 'Unread' })}</span>;
}
