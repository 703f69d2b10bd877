import type { Project } from '@parley/contracts';
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Building2, Keyboard, LogOut, Moon, Sun, UserPlus } from 'lucide-react';
import { useMemo } from 'react';
import { useProjects } from '../../domain/project/use-projects.ts';
import type { Entry } from '../../features/search/palette-options.ts';
import { SearchPalette } from '../../features/search/search-palette.tsx';
import { useLocale, usePaths } from '../../lib/paths.ts';
import { runShortcut } from '../../lib/shortcuts.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Texts } from '../locale-gate.tsx';
import { textsOf } from '../page-texts.ts';
import { useGoToEntries, type GoToEntry } from './go-to-entries.ts';
import { usePersonCommands } from './person-commands.ts';
import { useTabEntries } from './tab-entries.ts';

const none: readonly Project[] = [];
const searchTexts = textsOf(['first', 'app', 'search', 'tabs']);

/** The palette with what the shell can do: go to a page or a tab, invite, change the organisation or the appearance, sign out. */
export const ShellSearch = ({ onClose }: { onClose: () => void }) => (
  <Texts locale={useLocale()} load={searchTexts}>
    <Palette onClose={onClose} />
  </Texts>
);

function Palette({ onClose }: { onClose: () => void }) {
  const paths = usePaths();
  const acts = useActs();
  const goTo = useGoToEntries();
  const tabs = useTabEntries(goTo);
  const { organisation } = useTab();
  const { data: projects = none } = useProjects();
  const { data: archived = none } = useProjects('archived');
  const allProjects = useMemo(() => [...projects, ...archived], [projects, archived]);
  const mayFindPeople = useRight('member:read');
  const isThere = (feature: GoToEntry['feature']) => goTo.some((page) => page.feature === feature);
  const invite = useInvite(isThere('organisation-settings'));
  const pages = goTo.map(({ path, label, icon, group }): Entry => ({
    key: path,
    group: group === 'chat' ? 'do' : 'settings',
    path,
    label,
    icon,
  }));
  return (
    <SearchPalette
      entries={[...pages, ...invite, ...acts, ...tabs]}
      places={{
        chat: (id) => paths.to('chat/:id', { id }),
        project: paths.project,
        message: paths.message,
        document: isThere('documents') ? paths.document : null,
        member:
          mayFindPeople && isThere('organisation-settings') ? ({ name }) => paths.member(organisation.id, name) : null,
      }}
      projects={allProjects}
      onClose={onClose}
    />
  );
}

/** The dialog is in the organisation's console. */
function useInvite(isConsoleThere: boolean): Entry[] {
  const { t } = useText();
  const paths = usePaths();
  const { organisation } = useTab();
  const mayMail = useRight('member:invite');
  const mayLink = useRight('invite_link:manage');
  if (!isConsoleThere || !(mayMail || mayLink)) return [];
  const label = t({ id: 'search.act.invite', defaultMessage: 'Invite people' });
  return [{ key: 'invite', group: 'do', label, icon: UserPlus, path: paths.invite(organisation.id) }];
}

function useActs(): Entry[] {
  const { t } = useText();
  const { organisation, organisations, switchTo } = useTab();
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const { signOut } = usePersonCommands();
  return [
    ...organisations
      .filter(({ id }) => id !== organisation.id)
      .map((other): Entry => {
        const label = t({ id: 'search.act.switch', defaultMessage: 'Switch to {name}' }, { name: other.name });
        return { key: other.id, group: 'do', label, icon: Building2, run: () => switchTo(other) };
      }),
    isDark
      ? {
          key: 'light',
          group: 'do',
          label: t({ id: 'search.act.light', defaultMessage: 'Use the light appearance' }),
          icon: Sun,
          run: () => setColorScheme('light'),
        }
      : {
          key: 'dark',
          group: 'do',
          label: t({ id: 'search.act.dark', defaultMessage: 'Use the dark appearance' }),
          icon: Moon,
          run: () => setColorScheme('dark'),
        },
    {
      key: 'shortcuts',
      group: 'do',
      label: t({ id: 'shell.entry.shortcuts', defaultMessage: 'Keyboard shortcuts' }),
      icon: Keyboard,
      run: () => runShortcut('help'),
    },
    {
      key: 'sign-out',
      group: 'do',
      label: t({ id: 'shell.person.signOut', defaultMessage: 'Sign out' }),
      icon: LogOut,
      run: () => void signOut('DELETE /api/auth/sessions/current'),
    },
  ];
}
