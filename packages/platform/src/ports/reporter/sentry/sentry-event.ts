import type { ErrorReport } from '@parley/contracts';
import type { ErrorEvent } from '@sentry/node';

/** Returns a report in the form of Sentry's protocol, without person and machine. */
export function sentryEventOf(report: ErrorReport): ErrorEvent {
  const { eventId, at, deployable, during, route, digest, consumer, traceId, errorTestId, errors } = report;
  const tags = { deployable, during, route, digest, consumer, trace_id: traceId, test: errorTestId };
  return {
    type: undefined,
    event_id: eventId,
    timestamp: Date.parse(at) / 1000,
    platform: deployable === 'browser' ? 'javascript' : 'node',
    level: during === 'process' ? 'fatal' : 'error',
    tags: Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== null)),
    exception: { values: errors.map(exceptionOf).toReversed() },
    ...(traceId !== null && { contexts: { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } } }),
  };
}

const exceptionOf = ({ type, code, frames }: ErrorReport['errors'][number]) => ({
  type,
  value: code ?? '',
  stacktrace: {
    frames: frames
      .map(({ file, function: name, line, column, isOwn }) => ({
        filename: file,
        function: name,
        lineno: line ?? undefined,
        colno: column ?? undefined,
        in_app: isOwn,
      }))
      .toReversed(),
  },
});
