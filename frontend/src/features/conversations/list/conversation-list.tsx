import { Button } from '@mantine/core';
import type { Conversation } from '@parley/contracts';
import { Archive, Trash2 } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { outsideProjects } from '../state/conversation-list.ts';
import { useSelection, type Selection } from '../state/selection.ts';
import { Row } from './conversation-row.tsx';
import { groupByDay, type DayGroup } from './day-groups.ts';
import { useActiveRows, useLinks, type ActiveRows } from './use-active-rows.ts';
import classes from './conversation-list.module.css';

const ProjectGroup = lazyPart(async () => (await import('./project-group/index.tsx')).ProjectGroup);
const Selecting = lazyPart(async () => (await import('../many/selecting.ts')).Selecting);
const SelectionBar = lazyPart(async () => (await import('../many/selection-bar.tsx')).SelectionBar);

/** Loads the latest chats while the list is hidden, because its button still shows the unread mark. */
export function HiddenChats() {
  useList('GET /api/chat/conversations', { staleTime: Infinity });
  return null;
}

/** Lists chats in the sidebar: Today, Last 7 days, Older. Loads more on scroll. */
export function ConversationList() {
  const { t } = useText();
  const describe = useProblemText();
  // Never stale: `useConversationListUpdates` keeps the lists up to date.
  const ofSidebar = { within: outsideProjects, staleTime: Infinity };
  const { items, error, retry, edge } = useList('GET /api/chat/conversations', ofSidebar);
  const { items: onTop } = useList('GET /api/chat/conversations', { within: { only: 'pinned' }, staleTime: Infinity });
  const pinned = useMemo(() => (onTop ?? []).filter(isPinned), [onTop]);
  const others = useMemo(() => (items ?? []).filter((item) => !isPinned(item)), [items]);
  const groups = useMemo(() => groupByDay(others), [others]);
  const rows = useMemo(() => [...pinned, ...others], [pinned, others]);
  const hasRows = rows.length > 0;
  const list = useRef<HTMLElement>(null);
  const active = useActiveRows(list, hasRows);
  const selection = useSelection(rows);
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
      {pinned.length > 0 ? <Group group="pinned" items={pinned} active={active} selection={selection} /> : null}
      <ProjectGroup />
      {groups.map(({ group, items: ofGroup }) => (
        <Group key={group} group={group} items={ofGroup} active={active} selection={selection} />
      ))}
      <ListEdge {...edge} />
      <Elsewhere />
      <Selecting list={list} selection={selection} />
      {selection.isOn ? <SelectionBar selection={selection} isNarrow /> : null}
    </nav>
  );
}

const isPinned = ({ pinned }: Conversation): boolean => pinned === true;

/** Says after the last chat where archived and deleted chats are. */
function Elsewhere() {
  const { t } = useText();
  const paths = usePaths();
  const mayDelete = useRight('chat:delete');
  return (
    <div className={classes.elsewhere}>
      <Link to={paths.archivedChats} className={`p-meta ${classes.deleted}`}>
        <Archive size={14} />
        {t({ id: 'chat.history.archived', defaultMessage: 'Archived chats' })}
      </Link>
      {mayDelete ? (
        <Link to={paths.deletedChats} className={`p-meta ${classes.deleted}`}>
          <Trash2 size={14} />
          {t({ id: 'chat.history.deleted', defaultMessage: 'Deleted chats' })}
        </Link>
      ) : null}
    </div>
  );
}

type GroupProps = {
  group: DayGroup | 'pinned';
  items: readonly Conversation[];
  active: ActiveRows;
  selection: Selection;
};

function Group({ group, items, active, selection }: GroupProps) {
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
      <h2 className={`p-meta ${classes.group}`}>{names[group]}</h2>
      <ul>
        {items.map((conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            path={paths.to('chat/:id', { id: conversation.id })}
            isCurrent={pathname.endsWith(conversation.id)}
            isActive={conversation.id === active.pointed || conversation.id === active.focused}
            isSelected={selection.isOn ? selection.has(conversation.id) : null}
            onToggle={selection.toggle}
            onSelect={selection.begin}
          />
        ))}
      </ul>
    </section>
  );
}
