import type { SignedInPage } from '@parley/contracts/pages';
import type { ReactNode } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useTab } from '../lib/tab-organisation.tsx';
import { useText } from '../lib/text.ts';
import { NoPermissionView } from '../ui/failure-view.tsx';
import { LivePage } from '../ui/page.tsx';
import { useMayOpen } from './may-open.ts';
import { signedInFeatures } from './signed-in-features.ts';

const ErrorTestGate = lazyPart(async () => (await import('./error-test-gate.tsx')).ErrorTestGate);
const SuspendedPage = lazyPart(async () => (await import('./suspended-page.tsx')).SuspendedPage);

/**
 * Lets through whoever has the right that the page table names, or is platform admin; others read who can give it to
 * them. Of an organisation that is suspended nothing is shown but why.
 */
export function PageGuard({ page, children }: { page: SignedInPage; children: ReactNode }) {
  const mayOpen = useMayOpen();
  const { t } = useText();
  const { me, organisation } = useTab();
  const label = t(signedInFeatures[page.feature].name);
  if (page.feature === 'error-test' || page.feature === 'page-failure')
    return <ErrorTestGate label={label}>{children}</ErrorTestGate>;
  if ('isAlsoPlatform' in page && me.platformRole === 'admin') return children;
  const isOfOrganisation = page.area === 'chat' || page.area === 'organisation';
  if (organisation.suspension && isOfOrganisation) return <SuspendedPage suspension={organisation.suspension} />;
  if (mayOpen(page)) return children;
  return (
    <LivePage title={label}>
      <NoPermissionView isPlatform={page.area === 'platform'} />
    </LivePage>
  );
}
