import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import type { Me } from '@parley/contracts';
import { signedInPages } from '@parley/contracts/pages';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Route, Routes } from 'react-router-dom';
import { PendingSendsProvider } from '../features/conversations/pending-sends-context.tsx';
import { organisationsQuery } from '../features/organisations/organisations-query.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { isPassing, isProblem } from '../lib/http.ts';
import { LiveProvider } from '../lib/live.tsx';
import { useLocale } from '../lib/paths.ts';
import { endSession } from '../lib/session.ts';
import { TabOrganisationProvider } from '../lib/tab-organisation.tsx';
import { ShellPartsProvider } from '../ui/shell-parts.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { Texts } from './locale-gate.tsx';
import { LiveSession } from './live-session.tsx';
import { textsOf } from './page-texts.ts';
import { PagePlace } from './page-place.tsx';
import { Shell } from './shell/shell.tsx';
import { useTabOrganisation } from './tab-organisation-choice.ts';
import { UnreachablePage } from './unreachable-page.tsx';
import { VisitorFrame } from './visitor-frame.tsx';

const NotFoundRoute = lazyPart(async () => (await import('./not-found-route.tsx')).NotFoundRoute);
const FirstOrganisationPage = lazyPart(
  async () => (await import('../features/organisations/first-organisation-page.tsx')).FirstOrganisationPage,
);
const shellParts = { Menu };
const appTexts = textsOf(['first', 'app']);
const organisationTexts = textsOf(['first', 'app', 'organisations']);

function onError(error: unknown): void {
  if (isProblem(error, 'platform.unauthenticated')) endSession(error.problem.sessionEnd ?? null);
}

const createQueryClient = () =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (count, error) => count < 2 && isPassing(error),
      },
    },
  });

/** Everything behind the sign-in. The cache lives as long as the session: the next person starts with none. */
export function SignedIn({ me }: { me: Me }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <Texts locale={useLocale()} load={appTexts}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <ShellPartsProvider value={shellParts}>
            <WithOrganisations me={me} />
          </ShellPartsProvider>
        </ToastProvider>
      </QueryClientProvider>
    </Texts>
  );
}

function WithOrganisations({ me }: { me: Me }) {
  const locale = useLocale();
  const { data, error, refetch } = useQuery(organisationsQuery);
  if (error && !data) return <UnreachablePage error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.items.length === 0) {
    return (
      <VisitorFrame>
        <Texts locale={locale} load={organisationTexts}>
          <FirstOrganisationPage me={me} />
        </Texts>
      </VisitorFrame>
    );
  }
  return <InOrganisation me={me} organisations={data.items} />;
}

function InOrganisation({ me, organisations }: Parameters<typeof useTabOrganisation>[0]) {
  const tab = useTabOrganisation({ me, organisations });
  return (
    <TabOrganisationProvider value={tab}>
      <LiveProvider key={tab.organisation.id} orgId={tab.organisation.id}>
        <LiveSession />
        <PendingSendsProvider>
          <Shell unknownSlug={tab.unknownSlug}>
            <Routes>
              {signedInPages.map((page) => (
                <Route key={page.path} path={page.path} element={<PagePlace page={page} />} />
              ))}
              <Route path="*" element={<NotFoundRoute />} />
            </Routes>
          </Shell>
        </PendingSendsProvider>
      </LiveProvider>
    </TabOrganisationProvider>
  );
}
