import { Button } from '@mantine/core';
import type { Conversation } from '@parley/contracts';
import { memo, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { usePaths } from '../../../lib/paths.ts';
import { useStaleSince } from '../../../lib/live.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useConversationCommands } from '../conversation-commands.ts';
import { useConversationListUpdates } from '../conversation-list-updates.ts';
import { groupByDay, type DayGroup } from '../day-groups.ts';
import { ActionsMenu } from './conversation-menu.tsx';
import { RenameField } from './rename-field.tsx';
import classes from './conversation-list.module.css';

/** The sidebar's list: Today, Last 7 days, Older; more as one scrolls. */
export function ConversationList() {
  const { t } = useText();
  const describe = useProblemText();
  // Kept true by messages of their own, see below.
  const { items, error, retry, edge } = useList('GET /api/chat/conversations', { staleTime: Infinity });
  useConversationListUpdates();
  const groups = useMemo(() => groupByDay(items ?? []), [items]);
  const hasRows = (items?.length ?? 0) > 0;
  const list = useRef<HTMLElement>(null);
  const activeId = useActiveRow(list, hasRows);
  useLinks(list, hasRows);
  if (error) {
    return (
      <div className={classes.failed} role="alert">
        <p>{describe(error).text}</p>
        <Button variant="default" size="xs" onClick={retry}>
          {t({ id: 'chat.history.retry', defaultMessage: 'Load chats again' })}
        </Button>
      </div>
    );
  }
  if (!items)
    return (
      <div className={classes.loading}>
        <SkeletonRows count={6} label={t({ id: 'chat.history.loading', defaultMessage: 'The chats are loading' })} />
      </div>
    );
  if (!hasRows)
    return (
      <p className={classes.none}>{t({ id: 'chat.history.empty', defaultMessage: 'Your chats will stand here.' })}</p>
    );
  return (
    <nav ref={list} className="p-data" aria-label={t({ id: 'chat.history.label', defaultMessage: 'Chats' })}>
      {groups.map(({ group, items: ofGroup }) => (
        <Group key={group} group={group} items={ofGroup} activeId={activeId} />
      ))}
      <ListEdge {...edge} />
    </nav>
  );
}

/** The row under the pointer or with the focus: only that one gets its menu. */
function useActiveRow(list: RefObject<HTMLElement | null>, hasRows: boolean): string | null {
  const [activeId, setActiveId] = useState<string | null>(null);
  useEffect(() => {
    const element = list.current;
    const enter = ({ target }: Event) =>
      setActiveId((target as Element).closest<HTMLElement>('li')?.dataset['id'] ?? null);
    const leave = () => element?.contains(document.activeElement) || setActiveId(null);
    for (const name of ['pointerover', 'focusin']) element?.addEventListener(name, enter);
    for (const name of ['pointerleave', 'focusout']) element?.addEventListener(name, leave);
    return () => {
      for (const name of ['pointerover', 'focusin']) element?.removeEventListener(name, enter);
      for (const name of ['pointerleave', 'focusout']) element?.removeEventListener(name, leave);
    };
  }, [list, hasRows]);
  return activeId;
}

/** Thousands of rows with a router link each would all be drawn again at every step: one listener serves them. */
function useLinks(list: RefObject<HTMLElement | null>, hasRows: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    const element = list.current;
    const follow = (event: MouseEvent) => {
      const path = (event.target as Element).closest('a')?.getAttribute('href');
      if (!path || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(path);
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [list, hasRows, navigate]);
}

function Group({
  group,
  items,
  activeId,
}: {
  group: DayGroup;
  items: readonly Conversation[];
  activeId: string | null;
}) {
  const { t } = useText();
  const paths = usePaths();
  const { pathname } = useLocation();
  const names: Record<DayGroup, string> = {
    today: t({ id: 'chat.history.today', defaultMessage: 'Today' }),
    week: t({ id: 'chat.history.week', defaultMessage: 'Last 7 days' }),
    older: t({ id: 'chat.history.older', defaultMessage: 'Older' }),
  };
  return (
    <section>
      <h2 className={classes.group}>{names[group]}</h2>
      <ul className={classes.list}>
        {items.map((conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            path={paths.to('chat/:id', { id: conversation.id })}
            isCurrent={pathname.endsWith(conversation.id)}
            isActive={conversation.id === activeId}
          />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { conversation: Conversation; path: string; isCurrent: boolean; isActive: boolean };

const Row = memo(function Row({ conversation, path, isCurrent, isActive }: RowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  if (isRenaming)
    return (
      <li className={classes.row}>
        <Renaming conversation={conversation} onDone={() => setRenaming(false)} />
      </li>
    );
  return (
    <li className={classes.row} data-id={conversation.id}>
      <a href={path} aria-current={isCurrent ? 'page' : undefined} className={classes.link} title={conversation.title}>
        <bdi className={classes.title}>{conversation.title}</bdi>
        {conversation.running && !isActive ? <RunningMark /> : null}
      </a>
      {isActive || isMenuOpen ? (
        <RowMenu conversation={conversation} onRename={() => setRenaming(true)} onOpenChange={setMenuOpen} />
      ) : null}
    </li>
  );
});

function Renaming({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const { rename } = useConversationCommands();
  const done = (title: string | null) => {
    onDone();
    if (title) void rename(conversation.id, title);
  };
  return <RenameField title={conversation.title} onDone={done} />;
}

function RowMenu({
  conversation,
  onRename,
  onOpenChange,
}: {
  conversation: Conversation;
  onRename: () => void;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const mayDelete = useRight('chat:delete');
  const { remove } = useConversationCommands();
  if (!mayDelete) return null;
  return (
    <span className={classes.actions}>
      <ActionsMenu
        size={26}
        onRename={onRename}
        onDelete={() => remove(conversation.id, conversation.title)}
        onOpenChange={onOpenChange}
      />
    </span>
  );
}

function RunningMark() {
  const { t } = useText();
  const isStale = useStaleSince() !== null;
  return (
    <span className={classes.running}>
      <StatusShape kind={isStale ? 'waiting' : 'running'} />
      <span className="p-hidden">
        {t({ id: 'chat.history.running', defaultMessage: 'An answer is being written' })}
      </span>
    </span>
  );
}
