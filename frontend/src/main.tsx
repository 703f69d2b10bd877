import './ui/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { loadSignedIn } from './app/load-signed-in.ts';
import { loadSession } from './lib/session.ts';

// Everything that the page needs starts at once, not one after the other.
void loadSession();
if (/^\/[^/]+\/(chat|settings)\b/.test(location.pathname)) loadSignedIn().catch(() => undefined);

const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode><App /></StrictMode>);
