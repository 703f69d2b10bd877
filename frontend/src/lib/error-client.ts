import { BrowserClient, defaultStackParser, makeFetchTransport } from '@sentry/react';
import { eventOf, isFault } from './error-event.ts';
import type { Failure } from './failure.ts';

const windowMs = 60_000;
/** More in one window say nothing new. */
const mostPerWindow = 20;
const sent = new WeakSet<object>();
let window = { beganAt: 0, failures: 0 };

/**
 * Only used to send: without its integrations nothing is patched, watched or traced. Everything goes to our own server,
 * which decides where it belongs; the DSN says nothing.
 */
const client = new BrowserClient({
  dsn: `${location.protocol}//parley@${location.host}/1`,
  tunnel: '/api/monitoring/error-envelopes',
  release: `parley@${__RELEASE__}`,
  transport: makeFetchTransport,
  transportOptions: { headers: { 'parley-csrf': '1' } },
  stackParser: defaultStackParser,
  integrations: [],
  sendClientReports: false,
  sendDefaultPii: false,
});
client.init();

/** Each error once, and of a burst the first ones. */
export function sendFailure(failure: Failure, now = Date.now()): void {
  const { error } = failure;
  if (!isFault(error) || (typeof error === 'object' && error !== null && sent.has(error))) return;
  if (typeof error === 'object' && error !== null) sent.add(error);
  if (now - window.beganAt > windowMs) window = { beganAt: now, failures: 0 };
  window.failures += 1;
  if (window.failures <= mostPerWindow) client.captureEvent(eventOf(failure, defaultStackParser));
}
