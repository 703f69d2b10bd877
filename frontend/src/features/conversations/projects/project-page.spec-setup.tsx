import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { Permission } from '@parley/contracts/permissions';
import { sampleBot } from '../../../testing/chatbot-samples.ts';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { projectHandlers } from '../../../testing/project-samples.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleProject } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

type Scene = Parameters<typeof projectHandlers>[0] & {
  handlers?: Handlers;
  permissions?: readonly Permission[];
  /** Opens the settings, too. */
  hasSettingsOpen?: boolean;
};

/** Shows the page of the sample project with a fake server. */
export function showProject({ handlers = {}, permissions, hasSettingsOpen = false, ...scene }: Scene = {}) {
  const api = installFakeApi({
    ...projectHandlers(scene),
    'GET /api/chat/chatbots': () => ({ items: [sampleBot] }),
    ...handlers,
  });
  const at = `/en/chat?project=${sampleProject.id}${hasSettingsOpen ? '&settings=open' : ''}`;
  const page = renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
      <Where />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id?', at, ...(permissions && { permissions }) },
  );
  /** Returns the bodies that the page sent to a route. */
  const sent = (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
  return { ...page, sent };
}

function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{pathname + search}</p>;
}

export const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
export const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));
