import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';

import type { Me, Organisation } from '@parley/contracts';
import { permissionsOf, type OrgRole, type Permission } from '@parley/contracts/permissions';
import type { ReactNode } from 'react';
import { IntlProvider } from 'react-intl';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { LiveProvider } from '../lib/live.tsx';
import { problemMessages } from '../lib/problem-messages.ts';
import { TabOrganisationProvider } from '../lib/tab-organisation.tsx';
import { theme } from '../ui/theme.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { sampleMe, sampleOrganisation } from './samples.ts';

const messages = Object.fromEntries(
  Object.values(problemMessages).map(({ id, defaultMessage }) => [id, defaultMessage]),
);

/** English from the source code; a missing translation file is not an error here. */
export function IntlWrapper({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale="en" messages={messages} onError={() => undefined}>
      {children}
    </IntlProvider>
  );
}

type Place = { path: string; at: string };

/** A page as a visitor sees it. */
export function renderVisitor(node: ReactNode, { path, at }: Place = { path: '/:locale', at: '/en' }) {
  return render(
    <IntlWrapper>
      <MantineProvider theme={theme} env="test">
        <MemoryRouter initialEntries={[at]}>
          <Routes>
            <Route path={path} element={node} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </IntlWrapper>,
  );
}

/** A page inside an organisation, without the shell. The live connection stays offline. */
export function renderInOrganisation(
  node: ReactNode,
  {
    path,
    at,
    role = 'owner',
    permissions = permissionsOf(role),
    isPlatformAdmin = false,
    suspension = null,
    approval = 'approved',
  }: Place & {
    role?: OrgRole;
    permissions?: readonly Permission[];
    isPlatformAdmin?: boolean;
    suspension?: Organisation['suspension'];
    approval?: Organisation['approval'];
  },
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const organisation = { ...sampleOrganisation, role, permissions, suspension, approval };
  const me: Me = { ...sampleMe, platformRole: isPlatformAdmin ? 'admin' : null };
  return renderVisitor(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <TabOrganisationProvider value={{ me, organisation, organisations: [organisation], switchTo: () => undefined }}>
          <LiveProvider orgId={organisation.id}>{node}</LiveProvider>
        </TabOrganisationProvider>
      </ToastProvider>
    </QueryClientProvider>,
    { path, at },
  );
}
