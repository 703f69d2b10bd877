import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Conversation } from '@parley/contracts';
import { memo, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { NavLink } from 'react-router-dom';
import { usePaths } from '../../../app/paths.ts';
import { useStaleSince } from '../../../lib/live.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { conversationListQuery } from '../api/conversation-list.ts';
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
  const orgId = useTab().organisation.id;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(conversationListQuery(orgId));
  useConversationListUpdates();
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  const groups = useMemo(() => groupByDay(items), [items]);
  const end = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLElement>(null);
  const activeId = useActiveRow(list, items.length > 0);
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), { rootMargin: '300px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (error && !data) {
    return (
      <div className={classes.failed} role="alert">
        <p>{describe(error).text}</p>
        <Button variant="default" size="xs" onClick={() => void refetch()}>{t({ id: 'chat.history.retry', defaultMessage: 'Load chats again' })}</Button>
      </div>
    );
  }
  if (data && items.length === 0) return <p className={classes.none}>{t({ id: 'chat.history.empty', defaultMessage: 'Your chats will stand here.' })}</p>;
  return (
    <nav ref={list} className="p-data" aria-label={t({ id: 'chat.history.label', defaultMessage: 'Chats' })}>
      {groups.map(({ group, items: ofGroup }) => <Group key={group} group={group} items={ofGroup} activeId={activeId} />)}
      <div ref={end} className={classes.end} />
    </nav>
  );
}

/** The row under the pointer or with the focus: only that one gets its menu. */
function useActiveRow(list: RefObject<HTMLElement | null>, hasRows: boolean): string | null {
  const [activeId, setActiveId] = useState<string | null>(null);
  useEffect(() => {
    const element = list.current;
    const enter = ({ target }: Event) => setActiveId((target as Element).closest<HTMLElement>('li')?.dataset['id'] ?? null);
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

function Group({ group, items, activeId }: { group: DayGroup; items: readonly Conversation[]; activeId: string | null }) {
  const { t } = useText();
  const names: Record<DayGroup, string> = {
    today: t({ id: 'chat.history.today', defaultMessage: 'Today' }),
    week: t({ id: 'chat.history.week', defaultMessage: 'Last 7 days' }),
    older: t({ id: 'chat.history.older', defaultMessage: 'Older' }),
  };
  return (
    <section>
      <h2 className={classes.group}>{names[group]}</h2>
      <ul className={classes.list}>{items.map((conversation) => <Row key={conversation.id} conversation={conversation} isActive={conversation.id === activeId} />)}</ul>
    </section>
  );
}

const Row = memo(function Row({ conversation, isActive }: { conversation: Conversation; isActive: boolean }) {
  const { t } = useText();
  const paths = usePaths();
  const mayDelete = useRight('chat:delete');
  const isStale = useStaleSince() !== null;
  const { rename, remove } = useConversationCommands();
  const [isRenaming, setRenaming] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  if (isRenaming) {
    const done = (title: string | null) => {
      setRenaming(false);
      if (title) void rename(conversation.id, title);
    };
    return <li className={classes.row}><RenameField title={conversation.title} onDone={done} /></li>;
  }
  return (
    <li className={classes.row} data-id={conversation.id}>
      <NavLink to={paths.chat(conversation.id)} className={classes.link} title={conversation.title}>
        <bdi className={classes.title}>{conversation.title}</bdi>
        {conversation.running && !isActive ? <span className={classes.running}><StatusShape kind={isStale ? 'waiting' : 'running'} /><span className="p-hidden">{t({ id: 'chat.history.running', defaultMessage: 'An answer is being written' })}</span></span> : null}
      </NavLink>
      {mayDelete && (isActive || isMenuOpen) ? (
        <span className={classes.actions}><ActionsMenu size={26} onRename={() => setRenaming(true)} onDelete={() => remove(conversation.id, conversation.title)} onOpenChange={setMenuOpen} /></span>
      ) : null}
    </li>
  );
});
