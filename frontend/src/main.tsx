import './ui/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSignedIn } from './app/load-signed-in.ts';
import { askOrganisationsEarly } from './lib/early.ts';
import { isLocale } from './lib/locale.ts';
import { loadMessages } from './lib/messages.ts';
import { loadSession } from './lib/session.ts';

// Everything that the page needs starts at once, not one after the other.
void loadSession();
const [, locale, area = ''] = location.pathname.split('/');
if (isLocale(locale)) void loadMessages(locale, 'first').catch(() => undefined);
if (area === '') void import('./features/sign-in/sign-in-page.tsx').catch(() => undefined);
if (area === 'chat' || area === 'settings') {
  askOrganisationsEarly();
  loadSignedIn().catch(() => undefined);
  if (isLocale(locale)) void loadMessages(locale, 'app').catch(() => undefined);
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
