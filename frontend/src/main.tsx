import './ui/styles.ts';
import { textPartsOf } from '@parley/contracts/pages';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { pageParts } from './app/page-parts.ts';
import { loadSignedIn } from './app/load-signed-in.ts';
import { askOrganisationsEarly } from './lib/early.ts';
import { isLocale } from './lib/locale.ts';
import { loadMessages } from './lib/messages.ts';
import { pageOf } from './lib/paths.ts';
import { loadSession } from './lib/session.ts';

// Everything that the page needs starts at once, not one after the other; a failure is met where it is needed.
const page = pageOf(location.pathname);
const [, locale] = location.pathname.split('/');
const starting: Promise<unknown>[] = [loadSession()];
if (page) starting.push(pageParts[page.feature]());
if (page && page.area !== 'visitor') {
  askOrganisationsEarly();
  starting.push(loadSignedIn());
}
if (isLocale(locale)) starting.push(...textPartsOf(page).map((part) => loadMessages(locale, part)));
void Promise.allSettled(starting);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
