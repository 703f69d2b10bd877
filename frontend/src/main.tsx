import './ui/styles.ts';
import { visitorPages } from '@parley/contracts/visitor-pages';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSignedIn } from './app/load-signed-in.ts';
import { askOrganisationsEarly } from './domain/organisation/early.ts';
import { watchFailures } from './lib/error-reports.ts';
import { isLocale } from './lib/locale.ts';
import { loadFirstTexts } from './lib/messages.ts';
import { belowLocale } from './lib/paths.ts';
import { arrivesAsVisitor, loadSession } from './domain/session/session.ts';

watchFailures();

// Everything that the page needs starts at once, not one after the other; a failure is met where it is needed.
const path = belowLocale(location.pathname);
const [, locale] = location.pathname.split('/');
const starting: Promise<unknown>[] = [loadSession()];
if (!arrivesAsVisitor && !visitorPages.some((page) => page.path === path)) {
  askOrganisationsEarly();
  starting.push(loadSignedIn());
}
if (isLocale(locale)) starting.push(loadFirstTexts(locale));
void Promise.allSettled(starting);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
