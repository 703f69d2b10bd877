import type { SignedInPage } from '@parley/contracts/pages';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { LiveChip } from '../ui/live-chip.tsx';
import { NoPermissionView } from '../ui/failure-view.tsx';
import { Page } from '../ui/page.tsx';
import { useMayOpen } from './may-open.ts';
import { signedInFeatures } from './signed-in-features.ts';

/** Lets through whoever has the right that the page table names, or is platform admin; others read who can give it to them. */
export function PageGuard({ page, children }: { page: SignedInPage; children: ReactNode }) {
  const mayOpen = useMayOpen();
  const { t } = useText();
  const label = t(signedInFeatures[page.feature].name);
  if (mayOpen(page)) return children;
  return (
    <Page title={label} documentTitle={label} actions={<LiveChip />}>
      <NoPermissionView isPlatform={page.area === 'platform'} />
    </Page>
  );
}
