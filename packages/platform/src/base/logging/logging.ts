import { pino, type DestinationStream, type Logger } from 'pino';
import { callContext } from '../call-context.ts';

export type { Logger } from 'pino';

const mostWaiting = 1_000_000;

/** Returns the trace id for each log line that a request causes, in every process. */
function traceOfNow(): { readonly traceId?: string } {
  const entered = callContext.entered();
  return entered ? { traceId: entered.correlationId } : {};
}

/**
 * Creates a logger of JSON lines. Message text, prompts, cookies and keys never get in: callers log ids and numbers,
 * and the rest is redacted.
 */
export function createLogger(options: { name: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    mixin: traceOfNow,
    name: options.name,
    level: options.level ?? 'info',
    redact: { paths: ['req.headers', 'password', 'apiKey', '*.password', '*.apiKey', '*.cookie'], remove: true },
  };
  return pino(settings, options.destination ?? neverFailing(1));
}

/** Appends to a file without buffering, so that it has the last lines before a crash. */
export const logFile = (path: string): DestinationStream => neverFailing(path);

/**
 * Keeps lines that can't be written, to a full disk or an unread pipe, until the next line. Above a megabyte it drops
 * them silently, because there is nowhere to report it.
 */
function neverFailing(dest: string | number): DestinationStream {
  return pino.destination({ dest, mkdir: true, sync: true, maxLength: mostWaiting }).on('error', () => {});
}
