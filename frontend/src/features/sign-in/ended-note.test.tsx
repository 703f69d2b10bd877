import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Ended } from '../../domain/session/session.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { EndedNote } from './ended-note.tsx';

it.each<[Ended, RegExp]>([
  [{ how: 'signed-out', at: Date.now() }, /^You were signed out at \d\d:\d\d\. You signed out in another tab/],
  [{ how: 'signed-out-everywhere', at: null }, /^You were signed out\. You signed out everywhere/],
  [{ how: 'expired', at: Date.now() }, /^Your session has ended\. It was not used for 12 hours/],
  [{ how: null, at: null }, /^You were signed out\. The session was ended from another tab or device/],
])('%j is said in words, with what is kept', (ended, words) => {
  renderVisitor(<EndedNote ended={ended} />);
  expect(screen.getByRole('status').textContent).toMatch(words);
  expect(screen.getByRole('status')).toHaveTextContent('What you had typed in chats is kept.');
});
