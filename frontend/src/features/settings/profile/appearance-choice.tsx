import { useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { useText } from '../../../lib/text.ts';
import classes from '../parts/settings.module.css';

/** Kept by the browser, as in the person's menu. */
export function AppearanceChoice() {
  const { t } = useText();
  const name = useId();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = [
    { scheme: 'auto', icon: Monitor, label: t({ id: 'shell.scheme.system', defaultMessage: 'Like the system' }) },
    { scheme: 'light', icon: Sun, label: t({ id: 'shell.scheme.light', defaultMessage: 'Light' }) },
    { scheme: 'dark', icon: Moon, label: t({ id: 'shell.scheme.dark', defaultMessage: 'Dark' }) },
  ] as const;
  return (
    <div
      className={classes.schemes}
      role="radiogroup"
      aria-label={t({ id: 'settings.appearance.title', defaultMessage: 'Appearance' })}
    >
      {schemes.map(({ scheme, icon: Icon, label }) => (
        <label key={scheme} className={classes.scheme}>
          <input
            type="radio"
            name={name}
            value={scheme}
            checked={scheme === colorScheme}
            onChange={() => setColorScheme(scheme)}
          />
          <Icon />
          {label}
        </label>
      ))}
    </div>
  );
}
