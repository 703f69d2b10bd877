import { useText } from '../lib/text.ts';
import { Page } from '../ui/page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { useGoToEntries } from './shell/go-to-entries.ts';

/** The catch-all inside the shell. */
export function NotFoundRoute() {
  const { t } = useText();
  const entries = useGoToEntries();
  const title = t({ id: 'notFound.page.header', defaultMessage: 'Page not found' });
  return (
    <Page title={title}>
      <NotFoundPage nearby={entries} />
    </Page>
  );
}
