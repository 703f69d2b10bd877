import type { Me } from '@parley/contracts';
import { signedInPages, type TextPart } from '@parley/contracts/pages';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { PendingSendsProvider } from '../features/conversations/state/pending-sends-context.tsx';
import { organisationsQuery } from '../features/organisations/organisations-query.ts';
import { lazyPart } from '../lib/lazy-part.tsx';
import { isPassing, isProblem } from '../lib/http.ts';
import { LateTextsProvider } from '../lib/late-texts.tsx';
import { LiveProvider, useRefusal } from '../lib/live.tsx';
import { useLocale } from '../lib/paths.ts';
import { askWhetherSignedIn } from '../domain/session/own-session.ts';
import { TabOrganisationProvider } from '../lib/tab-organisation.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { Texts } from './locale-gate.tsx';
import { LiveSession } from './live-session.tsx';
import { textsOf } from './page-texts.ts';
import { PagePlace } from './page-place.tsx';
import { ProblemWords } from './problem-words.tsx';
import { Shell } from './shell/shell.tsx';
import { useFormerOrganisation, useTabOrganisation } from './tab-organisation-choice.ts';
import { UnreachablePage } from './unreachable-page.tsx';
import { VisitorFrame } from './visitor-frame.tsx';

const NotFoundRoute = lazyPart(async () => (await import('./not-found-route.tsx')).NotFoundRoute);
const ClosedOrganisation = lazyPart(async () => (await import('./closed-organisation.tsx')).ClosedOrganisation);
const FirstOrganisationPage = lazyPart(
  async () => (await import('../features/organisations/first-organisation-page.tsx')).FirstOrganisationPage,
);
const FormerOrganisation = lazyPart(async () => (await import('./former-organisation.tsx')).FormerOrganisation);
const appTexts = textsOf(['first', 'app']);
const lateTextsOf = (part: TextPart) => textsOf([part]);
const organisationTexts = textsOf(['first', 'app', 'organisations']);

function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (isProblem(error, 'platform.unauthenticated')) void askWhetherSignedIn();
    // Whoever has heard nothing of it reads why now.
    if (isProblem(error, 'org.organisation-suspended')) void client.invalidateQueries(organisationsQuery);
  };
  const client: QueryClient = new QueryClient({
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
  return client;
}

/** Everything behind the sign-in. The cache lives as long as the session: the next person starts with none. */
export function SignedIn({ me }: { me: Me }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <Texts locale={useLocale()} load={appTexts}>
      <LateTextsProvider value={lateTextsOf}>
        <QueryClientProvider client={queryClient}>
          <ProblemWords>
            <ToastProvider>
              <WithOrganisations me={me} />
            </ToastProvider>
          </ProblemWords>
        </QueryClientProvider>
      </LateTextsProvider>
    </Texts>
  );
}

function WithOrganisations({ me }: { me: Me }) {
  const locale = useLocale();
  const { data, error, refetch } = useQuery(organisationsQuery);
  const former = useFormerOrganisation(data?.items);
  if (error && !data) return <UnreachablePage error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (former)
    return (
      <VisitorFrame>
        <FormerOrganisation name={former.name} />
      </VisitorFrame>
    );
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

/** The organisation is closed to this session, or to this person: its pages would only fail one by one. */
function UnlessClosed({ children }: { children: ReactNode }) {
  const refusal = useRefusal();
  const code = refusal?.code;
  if (refusal && (code === 'org.access-ended' || code === 'org.membership-suspended'))
    return <ClosedOrganisation code={code} reason={refusal.detail ?? null} />;
  return children;
}

function InOrganisation({ me, organisations }: Parameters<typeof useTabOrganisation>[0]) {
  const tab = useTabOrganisation({ me, organisations });
  return (
    <TabOrganisationProvider value={tab}>
      <LiveProvider key={tab.organisation.id} orgId={tab.organisation.id}>
        <LiveSession />
        <PendingSendsProvider>
          <Shell unknownSlug={tab.unknownSlug}>
            <UnlessClosed>
              <Routes>
                {signedInPages.map((page) => (
                  <Route key={page.path} path={page.path} element={<PagePlace page={page} />} />
                ))}
                <Route path="*" element={<NotFoundRoute />} />
              </Routes>
            </UnlessClosed>
          </Shell>
        </PendingSendsProvider>
      </LiveProvider>
    </TabOrganisationProvider>
  );
}
