import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderVisitor } from '../testing/render.tsx';
import { Menu } from './menu.tsx';
import { SidePanel } from './side-panel.tsx';

it('a panel is closed by Escape, but stays when Escape closes its menu', async () => {
  let closed = 0;
  renderVisitor(
    <SidePanel title="Project settings" onClose={() => (closed += 1)}>
      <Menu>
        <Menu.Target>
          <button type="button">Connection</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item>Uploads</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </SidePanel>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Connection' }));
  (await screen.findByRole('menuitem', { name: 'Uploads' })).focus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  expect(closed).toBe(0);
  await userEvent.keyboard('{Escape}');
  expect(closed).toBe(1);
});
