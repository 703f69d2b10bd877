import { UnstyledButton } from '@mantine/core';
import { ArrowLeft, PanelLeft, Search, Settings, SquarePen } from 'lucide-react';
import { NavLink, useLocation } from 'react-router-dom';
import { ConversationList, HiddenChats } from '../../features/conversations/list/conversation-list.tsx';
import { useConversationListUpdates } from '../../features/conversations/state/conversation-list-updates.ts';
import { useHasUnread } from '../../features/conversations/state/conversation-list.ts';
import { useFormats } from '../../lib/formats.ts';
import { isMac } from '../../lib/shortcuts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useWaitingBudgetRequests } from '../../domain/budget/waiting.ts';
import { useOpenCases } from '../../domain/feedback/waiting.ts';
import { useText } from '../../lib/text.ts';
import { IconButton, IconLink } from '../../ui/icon-button.tsx';
import { UnreadDot } from '../../domain/conversation/unread-dot.tsx';
import { StatusShape } from '../../ui/status-shape.tsx';
import { usePaths } from '../../lib/paths.ts';
import { useGoToEntries, type GoToEntry } from './go-to-entries.ts';
import { useMailOutage } from './mail-outage.ts';
import { OrganisationMenu } from './organisation-menu.tsx';
import { PersonMenu } from './person-menu.tsx';
import classes from './sidebar.module.css';

type Props = { isCollapsed: boolean; onToggle: () => void; onSearch: () => void };

export function Sidebar({ isCollapsed, onToggle, onSearch }: Props) {
  const { t } = useText();
  const paths = usePaths();
  const { pathname, search } = useLocation();
  const outage = useMailOutage();
  const isSettings = /^\/[^/]+\/(settings|sentry-test)/.test(pathname);
  const isSuspended = useTab().organisation.suspension !== null;
  useConversationListUpdates();
  const hasUnread = useHasUnread() && isCollapsed && !isSettings;
  const toggleLabel = isCollapsed
    ? t({ id: 'shell.sidebar.expand', defaultMessage: 'Show sidebar' })
    : t({ id: 'shell.sidebar.collapse', defaultMessage: 'Hide sidebar' });
  const unread = hasUnread ? t({ id: 'shell.entry.unread', defaultMessage: 'Unread chats' }) : null;
  return (
    <div className={classes.sidebar} data-collapsed={isCollapsed || undefined}>
      <div className={classes.top}>
        <OrganisationMenu isCollapsed={isCollapsed} />
        <span className={classes.toggle}>
          <IconButton
            icon={PanelLeft}
            isMirrored
            label={[toggleLabel, unread].filter(Boolean).join(' · ')}
            onClick={onToggle}
            aria-expanded={!isCollapsed}
          />
          {hasUnread ? <UnreadDot isInCorner /> : null}
        </span>
      </div>
      {isSettings ? (
        <Item
          to={paths.to('chat')}
          icon={ArrowLeft}
          isMirrored
          label={t({ id: 'shell.sidebar.back', defaultMessage: 'Back to chat' })}
          isCollapsed={isCollapsed}
          isQuiet
        />
      ) : null}
      <SearchButton isCollapsed={isCollapsed} onSearch={onSearch} />
      {isSettings ? null : (
        <Item
          to={paths.to('chat')}
          icon={SquarePen}
          label={t({ id: 'shell.entry.newChat', defaultMessage: 'New chat' })}
          isCollapsed={isCollapsed}
          isExact
          isElsewhere={new URLSearchParams(search).has('project')}
        />
      )}
      <div className={classes.scroll}>
        {isSettings ? <SettingsNavigation isCollapsed={isCollapsed} outage={outage} /> : null}
        {isSettings || isSuspended ? null : isCollapsed ? <HiddenChats /> : <ConversationList />}
      </div>
      <div className={classes.foot}>
        <PersonMenu isCollapsed={isCollapsed} />
        {isSettings ? null : (
          <span className={classes.gear}>
            <IconLink
              icon={Settings}
              label={[t({ id: 'shell.sidebar.settings', defaultMessage: 'Settings' }), outage]
                .filter(Boolean)
                .join(' · ')}
              to={paths.to('settings')}
            />
            {outage ? <StatusShape kind="bad" /> : null}
          </span>
        )}
      </div>
    </div>
  );
}

function SearchButton({ isCollapsed, onSearch }: { isCollapsed: boolean; onSearch: () => void }) {
  const { t } = useText();
  const label = t({ id: 'shell.search.label', defaultMessage: 'Search or go to' });
  if (isCollapsed) return <IconButton icon={Search} label={label} onClick={onSearch} />;
  return (
    <UnstyledButton className={classes.search} onClick={onSearch}>
      <Search />
      <span>{label}</span>
      <kbd dir="ltr">{isMac() ? '⌘ K' : 'Ctrl K'}</kbd>
    </UnstyledButton>
  );
}

function SettingsNavigation({ isCollapsed, outage }: { isCollapsed: boolean; outage: string | null }) {
  const { t } = useText();
  const entries = useGoToEntries();
  const waiting: Partial<Record<GoToEntry['feature'], number>> = {
    billing: useWaitingBudgetRequests(),
    feedback: useOpenCases(),
  };
  const groups: { group: GoToEntry['group']; name: string }[] = [
    { group: 'you', name: t({ id: 'shell.group.you', defaultMessage: 'You' }) },
    { group: 'organisation', name: t({ id: 'shell.group.organisation', defaultMessage: 'Organisation' }) },
    { group: 'platform', name: t({ id: 'shell.group.platform', defaultMessage: 'Platform' }) },
  ];
  return (
    <nav aria-label={t({ id: 'shell.sidebar.settings', defaultMessage: 'Settings' })}>
      {groups.map(({ group, name }) => {
        const own = entries.filter((entry) => entry.group === group);
        return own.length === 0 ? null : (
          <section key={group}>
            {isCollapsed ? null : <h2 className={`p-meta ${classes.group}`}>{name}</h2>}
            {own.map((entry) => (
              <Item
                key={entry.path}
                to={entry.path}
                icon={entry.icon}
                label={entry.label}
                isCollapsed={isCollapsed}
                alert={group === 'platform' ? outage : null}
                waiting={waiting[entry.feature] ?? 0}
                isExact
              />
            ))}
          </section>
        );
      })}
    </nav>
  );
}

type ItemProps = {
  to: string;
  icon: GoToEntry['icon'];
  label: string;
  isCollapsed: boolean;
  isExact?: boolean;
  /** Links compare more than the path: an open project has that of a new chat. */
  isElsewhere?: boolean;
  isMirrored?: boolean;
  isQuiet?: boolean;
  /** What is wrong on that page. */
  alert?: string | null;
  /** The number of things on that page that wait for someone. */
  waiting?: number;
};

/** The number stays as narrow as its place. */
const mostShown = 99;

function Item({ to, icon: Icon, label, isCollapsed, alert = null, waiting = 0, ...is }: ItemProps) {
  const { t } = useText();
  const { number } = useFormats();
  const { isExact = false, isElsewhere = false, isMirrored = false, isQuiet = false } = is;
  const shown = waiting > mostShown ? `${number(mostShown)}+` : number(waiting);
  const words =
    waiting > 0 ? t({ id: 'shell.entry.waiting', defaultMessage: '{count} waiting' }, { count: shown }) : null;
  if (isCollapsed)
    return (
      <span className={classes.toggle}>
        <IconLink
          icon={Icon}
          isMirrored={isMirrored}
          label={[label, alert, words].filter(Boolean).join(' · ')}
          to={to}
          isExact={isExact}
          isElsewhere={isElsewhere}
          className={classes.rail}
        />
        {words ? <UnreadDot isInCorner /> : null}
      </span>
    );
  return (
    <NavLink
      to={to}
      end={isExact}
      aria-current={isElsewhere ? 'false' : 'page'}
      className={`p-sm p-quiet ${classes.item}`}
      data-quiet={isQuiet || undefined}
    >
      <Icon className={isMirrored ? 'p-mirror' : undefined} />
      {label}
      {alert ? (
        <span className={classes.alert} title={alert}>
          <StatusShape kind="bad" />
          <span className="p-hidden">{alert}</span>
        </span>
      ) : null}
      {words ? (
        <span className={`p-meta p-figures ${classes.count}`} title={words}>
          <span aria-hidden="true">{shown}</span>
          <span className="p-hidden">{words}</span>
        </span>
      ) : null}
    </NavLink>
  );
}
