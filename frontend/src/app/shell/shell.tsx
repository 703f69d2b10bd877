import { Menu as MenuIcon } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useStaleSince } from '../../lib/live.tsx';
import { usePaths } from '../../lib/paths.ts';
import { runShortcut, useShortcut, useShortcutKeys } from '../../lib/shortcuts.ts';
import { readStored, writeStored } from '../../lib/stored.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { useHasUnread } from '../../features/conversations/state/conversation-list.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageLeading } from '../../ui/page.tsx';
import { UnreadDot } from '../../domain/conversation/unread-dot.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { Sidebar } from './sidebar.tsx';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import classes from './shell.module.css';

const UnknownOrganisation = lazyPart(async () => (await import('./unknown-organisation.tsx')).UnknownOrganisation);

const ShellSearch = lazyPart(async () => (await import('./search.tsx')).ShellSearch);
const ShortcutsDialog = lazyPart(
  async () => (await import('../../features/shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog,
);
const collapsedKey = 'parley.sidebar-collapsed';

/** Canvas with the sidebar, and one sheet with the work. */
export function Shell({ unknownSlug, children }: { unknownSlug: string | null; children: ReactNode }) {
  const { t } = useText();
  const { organisation } = useTab();
  const { pathname, search } = useLocation();
  const place = pathname + search;
  const isDrawer = useMediaQuery('(max-width: 699px)');
  const { isCollapsed, toggle } = useCollapsed();
  // Open on one page only: going to another closes it.
  const [drawerOpenAt, setDrawerOpenAt] = useState<string | null>(null);
  const isDrawerOpen = drawerOpenAt === place;
  const closeDrawer = useCallback(() => setDrawerOpenAt(null), []);
  const isStale = useStaleSince() !== null;
  const hasUnread = useHasUnread();
  const [isSearching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  const [isHelping, setHelping] = useState(false);
  useShortcutKeys();
  useShortcut('search', openSearch);
  useShortcut('help', () => setHelping(true));
  useShortcut('newChat', useOpenNewChat());
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && closeDrawer();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [closeDrawer]);
  const leading = useMemo(
    () =>
      isDrawer ? (
        <span className={classes.opener}>
          <IconButton
            icon={MenuIcon}
            iconSize={20}
            size={44}
            label={[
              t({ id: 'shell.drawer.open', defaultMessage: 'Open navigation' }),
              hasUnread ? t({ id: 'shell.entry.unread', defaultMessage: 'Unread chats' }) : null,
            ]
              .filter(Boolean)
              .join(' · ')}
            onClick={() => setDrawerOpenAt(place)}
          />
          {hasUnread ? <UnreadDot isInCorner /> : null}
        </span>
      ) : null,
    [isDrawer, hasUnread, place, t],
  );
  return (
    <div
      className={classes.shell}
      data-collapsed={(isCollapsed && !isDrawer) || undefined}
      data-stale={isStale || undefined}
    >
      <a className="p-skip" href="#work">
        {t({ id: 'shell.skip.label', defaultMessage: 'Skip to content' })}
      </a>
      {isDrawer && isDrawerOpen ? (
        <button
          type="button"
          tabIndex={-1}
          className={classes.scrim}
          aria-label={t({ id: 'shell.drawer.close', defaultMessage: 'Close navigation' })}
          onClick={closeDrawer}
        />
      ) : null}
      <aside
        className={classes.side}
        aria-label={t({ id: 'shell.sidebar.label', defaultMessage: 'Navigation' })}
        data-open={isDrawerOpen || undefined}
        inert={isDrawer && !isDrawerOpen}
      >
        <Sidebar
          isCollapsed={isCollapsed && !isDrawer}
          onToggle={isDrawer ? closeDrawer : toggle}
          onSearch={openSearch}
        />
      </aside>
      <main id="work" className={classes.sheet} tabIndex={-1} inert={isDrawer && isDrawerOpen}>
        <PageLeading value={leading}>
          <ErrorBoundary key={organisation.id}>
            {unknownSlug ? <UnknownOrganisation slug={unknownSlug} /> : children}
          </ErrorBoundary>
        </PageLeading>
      </main>
      {isSearching ? <ShellSearch onClose={() => setSearching(false)} /> : null}
      {isHelping ? <ShortcutsDialog onClose={() => setHelping(false)} /> : null}
    </div>
  );
}

/** Works on the page of a new chat too, when its field has lost the focus. */
function useOpenNewChat(): () => void {
  const navigate = useNavigate();
  const paths = usePaths();
  return () => {
    void navigate(paths.to('chat'));
    runShortcut('compose');
  };
}

/** By hand, or by itself where there is little room. */
function useCollapsed() {
  const isNarrow = useMediaQuery('(max-width: 899px)');
  const [byHand, setByHand] = useState<boolean | null>(() => readStored<boolean>('local', collapsedKey));
  const [openWhileNarrow, setOpenWhileNarrow] = useState(false);
  const isCollapsed = isNarrow ? !openWhileNarrow : (byHand ?? false);
  const toggle = () => {
    if (isNarrow) return setOpenWhileNarrow((isOpen) => !isOpen);
    setByHand(!isCollapsed);
    writeStored('local', collapsedKey, !isCollapsed);
  };
  return { isCollapsed, toggle };
}
