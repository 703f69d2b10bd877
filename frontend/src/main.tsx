import './ui/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSignedIn } from './app/load-signed-in.ts';
import { loadSession } from './lib/session.ts';
import { readStored, writeStored } from './lib/stored.ts';

// Everything that the page needs starts at once, not one after the other.
void loadSession();
if (/^\/[^/]+\/(chat|settings)\b/.test(location.pathname)) void loadSignedIn();

// After an upgrade an open page asks for chunks that are gone: the new page has them. Once a minute, so it never loops.
window.addEventListener('vite:preloadError', (event) => {
  const key = 'parley.reloaded-at';
  if (Date.now() - (readStored<number>('session', key) ?? 0) < 60_000 || !writeStored('session', key, Date.now())) return;
  event.preventDefault();
  location.reload();
});

const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode><App /></StrictMode>);
