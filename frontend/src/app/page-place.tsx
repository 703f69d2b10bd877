import { signedInPages, textPartsOf, type SignedInPage } from '@parley/contracts/pages';
import type { ComponentType } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { useLocale } from '../lib/paths.ts';
import { Texts } from './locale-gate.tsx';
import { PageGuard } from './page-guard.tsx';
import { textsOf } from './page-texts.ts';
import { signedInFeatures } from './signed-in-features.ts';

const components = Object.fromEntries(
  signedInPages.map(({ feature }) => [feature, lazyPart<object>(signedInFeatures[feature].part)]),
) as Record<SignedInPage['feature'], ComponentType>;

/** Of each feature: two pages whose own texts are the same may show other parts besides. */
const texts = Object.fromEntries(signedInPages.map((page) => [page.feature, textsOf(textPartsOf(page))])) as Record<
  SignedInPage['feature'],
  ReturnType<typeof textsOf>
>;

/** One page of the table, with its texts, for whoever has its right. */
export function PagePlace({ page }: { page: SignedInPage }) {
  const locale = useLocale();
  const Part = components[page.feature];
  return (
    <PageGuard page={page}>
      <Texts key={page.feature} locale={locale} load={texts[page.feature]}>
        <Part />
      </Texts>
    </PageGuard>
  );
}
