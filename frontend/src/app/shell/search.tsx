import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Building2, Keyboard, LogOut, Moon, Sun } from 'lucide-react';
import type { Entry } from '../../features/search/palette-options.ts';
import { SearchPalette } from '../../features/search/search-palette.tsx';
import { useLocale, usePaths } from '../../lib/paths.ts';
import { runShortcut } from '../../lib/shortcuts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { Texts } from '../locale-gate.tsx';
import { textsOf } from '../page-texts.ts';
import { useGoToEntries } from './go-to-entries.ts';
import { usePersonCommands } from './person-commands.ts';

const searchTexts = textsOf(['first', 'app', 'search']);

/** The palette with what the shell can do: go to a page, change the organisation or the appearance, sign out. */
export const ShellSearch = ({ onClose }: { onClose: () => void }) => (
  <Texts locale={useLocale()} load={searchTexts}>
    <Palette onClose={onClose} />
  </Texts>
);

function Palette({ onClose }: { onClose: () => void }) {
  const paths = usePaths();
  const acts = useActs();
  const pages = useGoToEntries().map(({ path, label, icon, group }): Entry => ({
    key: path,
    group: group === 'chat' ? 'do' : 'settings',
    path,
    label,
    icon,
  }));
  return (
    <SearchPalette
      entries={[...pages, ...acts]}
      pathOfChat={(id) => paths.to('chat/:id', { id })}
      pathOfMessage={paths.message}
      onClose={onClose}
    />
  );
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
