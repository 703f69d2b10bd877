import { UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Menu } from '../../ui/menu.tsx';
import { Check, Keyboard, LogOut, Monitor, MonitorX, Moon, Sun, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { locales } from '../../lib/locale.ts';
import { runShortcut } from '../../lib/shortcuts.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { PersonAvatar } from '../../domain/picture/avatar.tsx';
import { useLocale } from '../../lib/paths.ts';
import { usePersonCommands } from './person-commands.ts';
import classes from './sidebar.module.css';

/** Language, appearance, sign out. */
export function PersonMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { t } = useText();
  const { me } = useTab();
  const locale = useLocale();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { signOut, chooseLocale } = usePersonCommands();
  const schemes: { scheme: typeof colorScheme; icon: LucideIcon; label: string }[] = [
    { scheme: 'light', icon: Sun, label: t({ id: 'shell.scheme.light', defaultMessage: 'Light' }) },
    { scheme: 'dark', icon: Moon, label: t({ id: 'shell.scheme.dark', defaultMessage: 'Dark' }) },
    { scheme: 'auto', icon: Monitor, label: t({ id: 'shell.scheme.system', defaultMessage: 'Like the system' }) },
  ];
  return (
    <Menu position="top-start" width={240} returnFocus>
      <Menu.Target>
        <UnstyledButton
          className={classes.person}
          aria-label={t(
            { id: 'shell.person.menu', defaultMessage: '{name}: language, appearance, sign out' },
            { name: me.name },
          )}
        >
          <PersonAvatar id={me.id} name={me.name} picture={me.picture} size={26} />
          {isCollapsed ? null : <bdi className={`p-one-line ${classes.name}`}>{me.name}</bdi>}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi dir="ltr">{me.email}</bdi>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t({ id: 'shell.person.language', defaultMessage: 'Language' })}</Menu.Label>
        {locales.map((entry) => (
          <Choice key={entry.locale} isChosen={entry.locale === locale} onChoose={() => chooseLocale(entry.locale)}>
            <span lang={entry.locale}>{entry.name}</span>
          </Choice>
        ))}
        <Menu.Label>{t({ id: 'shell.person.appearance', defaultMessage: 'Appearance' })}</Menu.Label>
        {schemes.map(({ scheme, icon: Icon, label }) => (
          <Choice
            key={scheme}
            icon={<Icon />}
            isChosen={scheme === colorScheme}
            onChoose={() => setColorScheme(scheme)}
          >
            {label}
          </Choice>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard />} onClick={() => runShortcut('help')}>
          {t({ id: 'shell.entry.shortcuts', defaultMessage: 'Keyboard shortcuts' })}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<LogOut className="p-mirror" />}
          onClick={() => void signOut('DELETE /api/auth/sessions/current')}
        >
          {t({ id: 'shell.person.signOut', defaultMessage: 'Sign out' })}
        </Menu.Item>
        <Menu.Item leftSection={<MonitorX />} onClick={() => void signOut('DELETE /api/auth/sessions')}>
          {t({ id: 'shell.person.signOutEverywhere', defaultMessage: 'Sign out everywhere' })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Choice({
  isChosen,
  onChoose,
  icon,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={isChosen}
      leftSection={icon}
      rightSection={isChosen ? <Check /> : null}
      onClick={onChoose}
    >
      {children}
    </Menu.Item>
  );
}
