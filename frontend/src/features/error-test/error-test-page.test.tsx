import { expect, it } from '@jest/globals';
import type { ErrorTestId, ListedErrorTest } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { ErrorTestPage } from './error-test-page.tsx';

const asked = Date.now();
const at = new Date(asked).toISOString();
const after = (ms: number) => new Date(asked + ms).toISOString();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const waiting: ListedErrorTest = {
  id: `ert_${'0'.repeat(26)}` as ErrorTestId,
  kind: 'chat.event',
  at,
  traceId,
  arrived: null,
};
const arrived: ListedErrorTest = {
  ...waiting,
  arrived: {
    failedAt: after(22),
    receivedAt: after(184),
    eventId: 'b81f0000000000000000000000009ce0',
    deployable: 'chat',
    groupId: '0'.repeat(24),
  },
};

function show(items: ListedErrorTest[], handlers: Handlers = {}, isPlatformAdmin = true) {
  sessionStorage.clear();
  const api = installFakeApi({ 'GET /api/monitoring/error-tests': () => ({ items, sink: 'collector' }), ...handlers });
  renderInOrganisation(<ErrorTestPage />, { path: '/:locale/sentry-test', at: '/en/sentry-test', isPlatformAdmin });
  return api;
}

it('asks for an error in a service by a request or by an event, and says what became of it', async () => {
  const items: ListedErrorTest[] = [];
  const { calls } = show(items, {
    'POST /api/monitoring/error-tests': ({ body: { id, kind } }) => {
      items.unshift({ ...waiting, id: id as ErrorTestId, kind });
      return items[0];
    },
  });
  expect(await screen.findByText('No tests yet')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Request: Error in billing' }));
  expect(await screen.findByText('Not there yet')).toBeInTheDocument();
  items[0] = { ...arrived, kind: 'billing.request' };
  expect(await screen.findByText('Arrived')).toBeInTheDocument();
  expect(screen.getByText('184 ms')).toBeInTheDocument();
  expect(screen.getByText('b81f…9ce0')).toBeInTheDocument();
  const sent = calls.filter(({ route }) => route === 'POST /api/monitoring/error-tests').map(({ body }) => body);
  expect(sent).toMatchObject([{ kind: 'billing.request' }]);
});

it('an opened test shows each step that is known, and leads platform admins to its group', async () => {
  show([arrived]);
  await userEvent.click(await screen.findByRole('button', { name: 'Error in chat, event' }));
  expect(screen.getByText('chat failed')).toBeInTheDocument();
  expect(screen.getByText('22 ms')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open the group' })).toHaveAttribute(
    'href',
    expect.stringContaining(`tab=errors&tests=shown&resolved=shown&error=${'0'.repeat(24)}`),
  );
});

it('whoever is none finds no way there', async () => {
  show([arrived], {}, false);
  await userEvent.click(await screen.findByRole('button', { name: 'Error in chat, event' }));
  expect(screen.queryByRole('link', { name: 'Open the group' })).toBeNull();
});

it('the BFF is asked to fail once the test is written down; a cleared test is gone', async () => {
  const { calls } = show([arrived], {
    'POST /api/monitoring/error-tests': ({ body: { id, kind } }) => ({ ...waiting, id: id as ErrorTestId, kind }),
    'POST /api/monitoring/error-tests/:errorTestId/failure': () => undefined,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Trigger: Error in the BFF' }));
  await waitFor(() =>
    expect(calls.map(({ route }) => route).filter((route) => route.startsWith('POST'))).toEqual([
      'POST /api/monitoring/error-tests',
      'POST /api/monitoring/error-tests/:errorTestId/failure',
    ]),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect(screen.getByText('No tests yet')).toBeInTheDocument();
});
