import { Button } from '@mantine/core';
import type { Conversation } from '@parley/contracts';
import { Archive, GitFork, Trash2 } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useStaleSince } from '../../../lib/live.tsx';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { UnreadDot } from '../../../domain/conversation/unread-dot.tsx';
import { useConversationCommands } from '../state/conversation-commands.ts';
import { outsideProjects } from '../state/conversation-list.ts';
import { groupByDay, type DayGroup } from './day-groups.ts';
import { ActionsMenu } from './conversation-menu/index.tsx';
import { RenameField } from './rename-field.tsx';
import classes from './conversation-list.module.css';

const ProjectGroup = lazyPart(async () => (await import('./project-group/index.tsx')).ProjectGroup);

/** Loads the list while it has no room: whether something is unread is still to be seen. */
export function HiddenChats() {
  useList('GET /api/chat/conversations', { within: outsideProjects, staleTime: Infinity });
  return null;
}

/** The sidebar's list: Today, Last 7 days, Older; more as one scrolls. */
export function ConversationList() {
  const { t } = useText();
  const describe = useProblemText();
  // Kept true by `useConversationListUpdates`.
  const ofSidebar = { within: outsideProjects, staleTime: Infinity };
  const { items, error, retry, edge } = useList('GET /api/chat/conversations', ofSidebar);
  const { items: onTop } = useList('GET /api/chat/conversations', { within: { only: 'pinned' }, staleTime: Infinity });
  const pinned = useMemo(() => (onTop ?? []).filter(isPinned), [onTop]);
  const groups = useMemo(() => groupByDay((items ?? []).filter((item) => !isPinned(item))), [items]);
  const hasRows = (items?.length ?? 0) + pinned.length > 0;
  const list = useRef<HTMLElement>(null);
  const active = useActiveRows(list, hasRows);
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
      <>
        <ProjectGroup />
        <p className={classes.none}>{t({ id: 'chat.history.empty', defaultMessage: 'Your chats appear here.' })}</p>
        <Elsewhere />
      </>
    );
  return (
    <nav ref={list} className="p-data" aria-label={t({ id: 'chat.history.label', defaultMessage: 'Chats' })}>
      {pinned.length > 0 ? <Group group="pinned" items={pinned} active={active} /> : null}
      <ProjectGroup />
      {groups.map(({ group, items: ofGroup }) => (
        <Group key={group} group={group} items={ofGroup} active={active} />
      ))}
      <ListEdge {...edge} />
      <Elsewhere />
    </nav>
  );
}

const isPinned = ({ pinned }: Conversation): boolean => pinned === true;

/** Behind the last chat: where the others are. */
function Elsewhere() {
  const { t } = useText();
  const paths = usePaths();
  const mayDelete = useRight('chat:delete');
  return (
    <div className={classes.elsewhere}>
      <Link to={paths.archivedChats} className={classes.deleted}>
        <Archive size={14} strokeWidth={1.75} aria-hidden="true" />
        {t({ id: 'chat.history.archived', defaultMessage: 'Archived chats' })}
      </Link>
      {mayDelete ? (
        <Link to={paths.deletedChats} className={classes.deleted}>
          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
          {t({ id: 'chat.history.deleted', defaultMessage: 'Deleted chats' })}
        </Link>
      ) : null}
    </div>
  );
}

type ActiveRows = { readonly pointed: string | null; readonly focused: string | null };

/**
 * The row under the pointer and the one with the focus: only these get their menus. A menu that has the focus stays until
 * the focus is elsewhere: taken away in between, Tab would begin again at the top of the page.
 */
function useActiveRows(list: RefObject<HTMLElement | null>, hasRows: boolean): ActiveRows {
  const [pointed, setPointed] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const element = list.current;
    const rowOf = (target: EventTarget | null) =>
      (target instanceof Element && element?.contains(target) && target.closest<HTMLElement>('li')?.dataset['id']) ||
      null;
    const handlers = {
      pointerover: ({ target }: Event) => setPointed(rowOf(target)),
      pointerleave: () => setPointed(null),
      focusin: ({ target }: Event) => setFocused(rowOf(target)),
      // A window that loses the focus gives it back to the same place.
      focusout: (event: Event) => document.hasFocus() && setFocused(rowOf((event as FocusEvent).relatedTarget)),
    };
    for (const [name, handler] of Object.entries(handlers)) element?.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) element?.removeEventListener(name, handler);
    };
  }, [list, hasRows]);
  return { pointed, focused };
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

type GroupProps = { group: DayGroup | 'pinned'; items: readonly Conversation[]; active: ActiveRows };

function Group({ group, items, active }: GroupProps) {
  const { t } = useText();
  const paths = usePaths();
  const { pathname } = useLocation();
  const names: Record<DayGroup | 'pinned', string> = {
    pinned: t({ id: 'chat.history.pinned', defaultMessage: 'Pinned' }),
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
            isActive={conversation.id === active.pointed || conversation.id === active.focused}
          />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { conversation: Conversation; path: string; isCurrent: boolean; isActive: boolean };

const Row = memo(function Row({ conversation, path, isCurrent, isActive }: RowProps) {
  const [isRenaming, setRenaming] = useState(false);
  // A menu that was open once stays in the row, for it gets the focus back when it closes.
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
  // Whoever has it open sees what is new.
  const isUnread = conversation.unread === true && !isCurrent;
  return (
    <li className={classes.row} data-id={conversation.id}>
      <a
        ref={link}
        href={path}
        aria-current={isCurrent ? 'page' : undefined}
        className={classes.link}
        data-unread={isUnread || undefined}
        title={conversation.title}
      >
        {conversation.branchedFrom ? <BranchMark /> : null}
        <bdi className={classes.title}>{conversation.title}</bdi>
        {isUnread ? <UnreadWord /> : null}
        {isActive ? null : conversation.running ? <RunningMark /> : isUnread ? <UnreadDot /> : null}
      </a>
      {isActive || hasMenu ? (
        <RowMenu
          conversation={conversation}
          onRename={() => setRenaming(true)}
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
  onOpenChange,
}: {
  conversation: Conversation;
  onRename: () => void;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { t } = useText();
  const mayDelete = useRight('chat:delete');
  const { remove } = useConversationCommands();
  if (!mayDelete) return null;
  return (
    <span className={classes.actions}>
      <ActionsMenu
        conversationId={conversation.id}
        size={26}
        label={t({ id: 'chat.menu.of', defaultMessage: 'Actions for {title}' }, { title: conversation.title })}
        onRename={onRename}
        onDelete={() => remove(conversation.id, conversation.title)}
        onOpenChange={onOpenChange}
      />
    </span>
  );
}

/** It has the title of what it was branched from, until one of them is renamed. */
function BranchMark() {
  const { t } = useText();
  const words = t({ id: 'chat.history.branch', defaultMessage: 'Branch' });
  return (
    <span className={classes.branch} title={words}>
      <GitFork size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="p-hidden">{words}</span>
    </span>
  );
}

function UnreadWord() {
  const { t } = useText();
  return <span className="p-hidden">{t({ id: 'chat.history.unread', defaultMessage: 'Unread' })}</span>;
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
