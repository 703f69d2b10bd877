import { describe, expect, it } from '@jest/globals';
import type { EndedSession, OwnSession } from '@parley/contracts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../../testing/lost-connection.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { SettingsPage } from '../settings-page.tsx';

const id = (letter: string) => letter.repeat(43);
const at = '2026-11-21T10:41:00.000Z';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1';
const known = { userAgent: firefox, network: '192.0.2.0/24', createdAt: at, lastUsedAt: at };
const here: OwnSession = { ...known, id: id('a'), isThis: true };
const there: OwnSession = { ...known, id: id('b'), userAgent: phone, isThis: false };
const unknown: OwnSession = { ...known, id: id('c'), userAgent: null, network: null, isThis: false };

function show(items: OwnSession[], ended: EndedSession[] = [], handlers: Handlers = {}) {
  const api = installFakeApi({ 'GET /api/auth/sessions': () => ({ items, ended }), ...handlers });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=sessions&org=lindmoor' });
  return api;
}
const rowOf = async (words: string) => (await screen.findByText(words)).closest('tr')!;

describe('the sessions', () => {
  it('stand below their device; this one can be signed out, others ended', async () => {
    show([here, there, unknown]);
    expect(within(await rowOf('Firefox 146')).getByText('This one')).toBeInTheDocument();
    expect(within(await rowOf('Firefox 146')).getByRole('button', { name: 'Sign out' })).toBeInTheDocument();
    expect(within(await rowOf('Safari 26')).getByRole('button', { name: 'End : Safari 26' })).toBeInTheDocument();
    expect(within(await rowOf('Unknown browser')).getByText('Not known')).toBeInTheDocument();
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Computer, Linux',
      'Phone, iOS',
      'Unknown device',
    ]);
  });

  it('one is ended, and the list is read again', async () => {
    let items = [here, there];
    const { calls } = show(items, [], {
      'GET /api/auth/sessions': () => ({ items, ended: [] }),
      'DELETE /api/auth/other-sessions/:sessionId': ({ params }) => {
        items = items.filter((session) => session.id !== params.sessionId);
        return undefined;
      },
    });
    await userEvent.click(within(await rowOf('Safari 26')).getByRole('button'));
    await screen.findByText('Firefox 146');
    expect(screen.queryByText('Safari 26')).toBeNull();
    expect(calls.map(({ route }) => route)).toContain('DELETE /api/auth/other-sessions/:sessionId');
    expect(screen.queryByRole('button', { name: /End/ })).toBeNull();
  });

  it('all others are ended after a question with their number', async () => {
    let items = [here, there, unknown];
    show(items, [], {
      'GET /api/auth/sessions': () => ({ items, ended: [] }),
      'DELETE /api/auth/other-sessions': () => {
        items = [here];
        return { endedSessions: 2 };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'End 2 others' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'End 2 others' }));
    expect(await rowOf('Firefox 146')).toBeInTheDocument();
    expect(screen.queryByText('Safari 26')).toBeNull();
  });

  it('says of those that have ended who ended them', async () => {
    const end = { ...known, endedAt: '2026-11-22T10:41:00.000Z' };
    show(
      [here],
      [
        { ...end, id: id('d'), how: 'ended-by-you' },
        { ...end, id: id('e'), how: 'password-changed' },
        { ...end, id: id('f'), how: 'expired' },
        { ...end, id: id('g'), how: 'expired', createdAt: '2026-10-23T10:41:00.000Z' },
      ],
    );
    const ended = await screen.findByRole('region', { name: 'Ended in the last 30 days' });
    const by = within(ended)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect(by.map(([, who, , lasted]) => [who, lasted])).toEqual([
      ['You, from another session', '1 day'],
      ['A changed password', '1 day'],
      ['12 hours without use', '1 day'],
      ['30 days were over', '30 days'],
    ]);
  });

  it('that could not be loaded say so, with a way to try again', async () => {
    show([], [], { 'GET /api/auth/sessions': () => refuse('platform.internal') });
    expect(await screen.findByText('The sessions could not be loaded')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  it('lead to the password, within the organisation of the tab', async () => {
    show([here]);
    const link = await screen.findByRole('link', { name: 'Change your password' });
    expect(link).toHaveAttribute('href', '/en/settings?tab=security&org=lindmoor');
  });
});

describe('without a connection', () => {
  withPassingTime();
  it('none can be ended', async () => {
    const { calls } = show([here, there]);
    await screen.findByText('Safari 26');
    await loseConnectionForLong();
    const button = screen.getByRole('button', { name: 'End : Safari 26' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    button.click();
    expect(calls).toHaveLength(1);
  });
});
