import { signedInPages, textPartsOf, type SignedInFeature } from '@parley/contracts/pages';
import type { ComponentType } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useLocale } from '../lib/paths.ts';
import { LiveChip } from '../ui/live-chip.tsx';
import { NoPermissionView } from '../ui/failure-view.tsx';
import { Page } from '../ui/page.tsx';
import { useMayOpen } from './may-open.ts';
import { Texts } from './locale-gate.tsx';
import { pageParts } from './page-parts.ts';
import { useEntryNames } from './shell/entry-names.ts';

type SignedInPage = (typeof signedInPages)[number];

const components = Object.fromEntries(
  signedInPages.map(({ feature }) => [feature, lazyPart<object>(pageParts[feature])]),
) as Record<SignedInFeature, ComponentType>;

/** One page of the table, with its texts, for whoever has its right. */
export function PagePlace({ page }: { page: SignedInPage }) {
  const locale = useLocale();
  const mayOpen = useMayOpen();
  if (!mayOpen(page)) return <Forbidden feature={page.feature} />;
  const Part = components[page.feature];
  return (
    <Texts key={page.texts} locale={locale} parts={textPartsOf(page)}>
      <Part />
    </Texts>
  );
}

function Forbidden({ feature }: { feature: SignedInFeature }) {
  const { label } = useEntryNames()[feature];
  return (
    <Page title={label} documentTitle={label} actions={<LiveChip />}>
      <NoPermissionView />
    </Page>
  );
}
