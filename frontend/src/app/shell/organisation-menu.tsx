import { UnstyledButton } from '@mantine/core';
import { Menu } from '../../ui/menu.tsx';
import { Building2, Check, ChevronsUpDown } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import { OrganisationMark } from '../../domain/picture/avatar.tsx';
import { usePaths } from '../../lib/paths.ts';
import classes from './sidebar.module.css';

/** Switches this tab to another organisation; other tabs stay where they are. */
export function OrganisationMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { t } = useText();
  const paths = usePaths();
  const { organisation, organisations, switchTo } = useTab();
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton
          className={classes.organisation}
          aria-label={t(
            { id: 'shell.organisation.switch', defaultMessage: 'Organisation: {name}. Switch to another one' },
            { name: organisation.name },
          )}
        >
          <OrganisationMark name={organisation.name} />
          {isCollapsed ? null : (
            <>
              <bdi className={`p-one-line ${classes.name}`}>{organisation.name}</bdi>
              <ChevronsUpDown size={14} className={classes.chevrons} />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {organisations.map((other) => (
          <Menu.Item
            key={other.id}
            leftSection={<OrganisationMark name={other.name} size={20} />}
            rightSection={other.id === organisation.id ? <Check /> : null}
            onClick={() => switchTo(other)}
          >
            <bdi>{other.name}</bdi>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={paths.to('settings/orgs')} leftSection={<Building2 />}>
          {t({ id: 'shell.entry.organisations', defaultMessage: 'Your organisations' })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
