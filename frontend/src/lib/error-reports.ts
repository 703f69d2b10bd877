import type { Failure } from './failure.ts';

/** What sends it comes with the first failure; without it, or without a connection, the failure stays in the console. */
export function reportFailure(failure: Failure): void {
  import('./error-client.ts').then(({ sendFailure }) => sendFailure(failure)).catch(() => undefined);
}

/** From now on whatever fails in this page and is met by nobody is told to the server. */
export function watchFailures(): void {
  addEventListener('error', ({ error }) => {
    // A script of somebody else, or a notice of the browser, has none.
    if (error) reportFailure({ error });
  });
  addEventListener('unhandledrejection', ({ reason }) => reportFailure({ error: reason }));
}
