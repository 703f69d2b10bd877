import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * JSON logs. Message text, prompts, cookies and keys never get in: callers log ids and numbers, the rest is redacted.
 */
export function createLogger(options: { name: string; level?: string; destination?: DestinationStream }): Logger {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    redact: { paths: ['req.headers', 'password', 'apiKey', '*.password', '*.apiKey', '*.cookie'], remove: true },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

/** Appends to a file without buffering, so that the last lines before a crash are there. */
export function logFile(path: string): DestinationStream {
  return pino.destination({ dest: path, mkdir: true, sync: true });
}
