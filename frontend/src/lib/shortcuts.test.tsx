import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { runShortcut, setSingleKeys, shortcutOf, useShortcut, useShortcutKeys } from './shortcuts.ts';

let done: string[];
const platform = (name: string) => Object.defineProperty(navigator, 'platform', { configurable: true, value: name });
const pressed = (key: string, more: KeyboardEventInit = {}) =>
  shortcutOf(new KeyboardEvent('keydown', { key, ...more }));

function Page({ stops = true, isModal = false }: { stops?: boolean; isModal?: boolean }) {
  useShortcutKeys();
  useShortcut('newChat', () => done.push('new chat'));
  useShortcut('search', () => done.push('search'));
  useShortcut('stop', stops ? () => done.push('stop') : null);
  return (
    <>
      <textarea aria-label="field" />
      <input type="checkbox" aria-label="choice" />
      {['menu', 'listbox'].map((role) => (
        <div key={role} role={role}>
          <button type="button" aria-label={`${role} item`} />
        </div>
      ))}
      {isModal ? <div aria-modal="true" /> : null}
    </>
  );
}

beforeEach(() => {
  localStorage.clear();
  done = [];
});
afterEach(() => void platform(''));

describe('a shortcut', () => {
  it('is its key by what the layout writes, and by its place where that is no Latin', () => {
    expect(pressed('n')).toBe('newChat');
    expect(pressed('N', { code: 'KeyN' })).toBe('newChat');
    expect(pressed('ى', { code: 'KeyN' })).toBe('newChat');
    // A German y lies where a z does elsewhere: the letter counts.
    expect(pressed('b', { code: 'KeyN' })).toBeNull();
    expect(pressed('N', { code: 'KeyN', shiftKey: true })).toBeNull();
  });

  it.each([
    ['a US layout', { key: '?', code: 'Slash', shiftKey: true }, { key: '/', code: 'Slash', ctrlKey: true }],
    [
      'a German one',
      { key: '?', code: 'Minus', shiftKey: true },
      { key: '/', code: 'Digit7', ctrlKey: true, shiftKey: true },
    ],
    ['an Arabic one', { key: '؟', code: 'Slash', shiftKey: true }, { key: 'ظ', code: 'Slash', ctrlKey: true }],
  ])('for help is on %s, too', (_layout, single, withControl) => {
    expect(pressed(single.key, single)).toBe('help');
    expect(pressed(withControl.key, withControl)).toBe('help');
  });

  it('has ⌘ on a Mac, and never Alt, which writes characters', () => {
    expect(pressed('k', { ctrlKey: true })).toBe('search');
    expect(pressed('k', { metaKey: true })).toBeNull();
    platform('MacIntel');
    expect(pressed('k', { metaKey: true })).toBe('search');
    expect(pressed('k', { ctrlKey: true })).toBeNull();
    expect(pressed('n', { altKey: true })).toBeNull();
    expect(pressed('.', { ctrlKey: true, altKey: true })).toBeNull();
  });
});

describe('pressing a shortcut', () => {
  it('does what the shortcut is for, in a field only with Ctrl', async () => {
    render(<Page />);
    await userEvent.keyboard('n');
    await userEvent.type(screen.getByLabelText('field'), 'n{Control>}k{/Control}');
    await userEvent.click(screen.getByLabelText('choice'));
    await userEvent.keyboard('n{Control>}.{/Control}');
    expect(done).toEqual(['new chat', 'search', 'new chat', 'stop']);
    expect(screen.getByLabelText('field')).toHaveValue('n');
  });

  it.each(['menu', 'listbox'])('leaves a single key to a %s, where it chooses an item by its letter', async (role) => {
    render(<Page />);
    screen.getByLabelText(`${role} item`).focus();
    await userEvent.keyboard('n{Control>}k{/Control}');
    expect(done).toEqual(['search']);
  });

  it('does nothing behind a dialog, nor what is nothing now', async () => {
    const { rerender } = render(<Page isModal />);
    await userEvent.keyboard('n{Control>}k{/Control}');
    rerender(<Page stops={false} />);
    await userEvent.keyboard('{Control>}.{/Control}');
    runShortcut('stop');
    expect(done).toEqual([]);
  });

  it('does nothing with a single key for somebody who turned these off', async () => {
    render(<Page />);
    setSingleKeys(false);
    await userEvent.keyboard('n{Control>}k{/Control}');
    expect(done).toEqual(['search']);
    setSingleKeys(true);
    await userEvent.keyboard('n');
    expect(done).toEqual(['search', 'new chat']);
  });
});
