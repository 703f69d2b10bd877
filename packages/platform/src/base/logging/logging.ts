import { pino, type DestinationStream, type Logger } from 'pino';
import { callContext } from '../call-context.ts';

export type { Logger } from 'pino';

const mostWaiting = 1_000_000;

/** Each line of what a request has led to has its trace id, in whatever process. */
function traceOfNow(): { readonly traceId?: string } {
  const entered = callContext.entered();
  return entered ? { traceId: entered.correlationId } : {};
}

/**
 * JSON logs. Message text, prompts, cookies and keys never get in: callers log ids and numbers, the rest is redacted.
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

/** Appends to a file without buffering, so that the last lines before a crash are there. */
export const logFile = (path: string): DestinationStream => neverFailing(path);

/**
 * What cannot be written, to a full disk or a pipe that nobody reads, waits for the next line; beyond a megabyte it is
 * dropped. Nobody is told: there is nowhere to.
 */
function neverFailing(dest: string | number): DestinationStream {
  return pino.destination({ dest, mkdir: true, sync: true, maxLength: mostWaiting }).on('error', () => {});
}
