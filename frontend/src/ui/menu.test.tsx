import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderVisitor } from '../testing/render.tsx';
import { loadMenus, Menu } from './menu.tsx';

const show = (name: string, chosen: string[] = []) =>
  renderVisitor(
    <Menu>
      <Menu.Target>
        <button type="button">{name}</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => chosen.push('first')}>First</Menu.Item>
        <Menu.Item onClick={() => chosen.push('second')}>Second</Menu.Item>
      </Menu.Dropdown>
    </Menu>,
  );

it('is its button until it is asked for; the click that asks opens it once it is there', async () => {
  const chosen: string[] = [];
  show('Rows', chosen);
  const button = screen.getByRole('button', { name: 'Rows' });
  expect(button).toHaveAttribute('aria-haspopup', 'menu');
  expect(screen.queryByText('Second')).toBeNull();
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Second' }));
  expect(chosen).toEqual(['second']);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

it('that was loaded meanwhile leaves the button where the keyboard is, and opens by it', async () => {
  await loadMenus();
  show('More');
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('menuitem', { name: 'First' })).toBeInTheDocument();
});
