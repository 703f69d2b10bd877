import { signedInPages, textPartsOf, type SignedInPage } from '@parley/contracts/pages';
import type { ComponentType } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useLocale } from '../lib/paths.ts';
import { LiveChip } from '../ui/live-chip.tsx';
import { NoPermissionView } from '../ui/failure-view.tsx';
import { Page } from '../ui/page.tsx';
import { useMayOpen } from './may-open.ts';
import { Texts } from './locale-gate.tsx';
import { pageParts } from './page-parts.ts';
import { textsOf } from './page-texts.ts';
import { useEntryNames } from './shell/entry-names.ts';

const components = Object.fromEntries(
  signedInPages.map(({ feature }) => [feature, lazyPart<object>(pageParts[feature])]),
) as Record<SignedInPage['feature'], ComponentType>;

const texts = Object.fromEntries(signedInPages.map((page) => [page.texts, textsOf(textPartsOf(page))])) as Record<
  SignedInPage['texts'],
  ReturnType<typeof textsOf>
>;

/** One page of the table, with its texts, for whoever has its right. */
export function PagePlace({ page }: { page: SignedInPage }) {
  const locale = useLocale();
  const mayOpen = useMayOpen();
  if (!mayOpen(page)) return <Forbidden feature={page.feature} />;
  const Part = components[page.feature];
  return (
    <Texts key={page.texts} locale={locale} load={texts[page.texts]}>
      <Part />
    </Texts>
  );
}

function Forbidden({ feature }: { feature: SignedInPage['feature'] }) {
  const { label } = useEntryNames()[feature];
  return (
    <Page title={label} documentTitle={label} actions={<LiveChip />}>
      <NoPermissionView />
    </Page>
  );
}
