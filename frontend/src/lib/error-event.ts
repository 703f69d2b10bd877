import { pageAt } from '@parley/contracts/pages';
import type { defaultStackParser, ErrorEvent, Exception, StackFrame } from '@sentry/react';
import { digestOf, type Failure } from './failure.ts';
import { isProblem, NetworkError } from './http.ts';
import { belowLocale } from './paths.ts';

type StackParser = typeof defaultStackParser;
const mostCauses = 5;
const callName = /^[A-Za-z_$][\w$]{0,39}(?:\.[A-Za-z_$][\w$]{0,39}){0,2}$/;

/** Refusals that people read on the page, a lost connection and what was called off are no faults. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof NetworkError) &&
  !(isProblem(error) && error.code !== 'platform.internal') &&
  !(error instanceof DOMException && error.name === 'AbortError');

/**
 * What leaves the page: for the error and its causes the class, the code and where in our program it happened; which
 * page by its pattern, the failed request's trace, the digest. Never a message, an address, or what was done before:
 * they hold what people wrote (ADR 0014).
 */
export function eventOf({ error, eventId }: Failure, parse: StackParser): ErrorEvent {
  const { traceId, errorTestId } = idsOf(error);
  const tags = {
    route: pageAt(belowLocale(location.pathname))?.path,
    digest: eventId && digestOf(eventId),
    trace_id: traceId,
    test: errorTestId,
  };
  return {
    type: undefined,
    event_id: eventId,
    level: 'error',
    platform: 'javascript',
    tags: Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined)),
    exception: {
      values: causesOf(error)
        .map((cause) => exceptionOf(cause, parse))
        .toReversed(),
    },
  };
}

function idsOf(error: unknown): { traceId?: string | undefined; errorTestId?: string | undefined } {
  if (isProblem(error)) return { traceId: fitting(/^[0-9a-f]{32}$/, error.problem.traceId) };
  const { traceId, errorTestId } = (error ?? {}) as Record<string, unknown>;
  return { traceId: fitting(/^[0-9a-f]{32}$/, traceId), errorTestId: fitting(/^ert_[0-9A-Z]{26}$/, errorTestId) };
}

const fitting = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

function causesOf(error: unknown): unknown[] {
  const chain = [error];
  for (let last = error; last instanceof Error && last.cause && chain.length < mostCauses; last = last.cause)
    chain.push(last.cause);
  return chain;
}

function exceptionOf(error: unknown, parse: StackParser): Exception {
  if (!(error instanceof Error)) return { type: 'NoError', value: '' };
  const code = isProblem(error) ? error.code : '';
  return {
    type: fitting(/^[A-Z][A-Za-z]{1,50}$/, error.name) ?? 'Error',
    value: code,
    stacktrace: framesOf(error, parse),
  };
}

/** The message comes first in a stack, over any number of lines: it is cut away. */
function framesOf({ stack = '', message }: Error, parse: StackParser): { frames: StackFrame[] } {
  const start = message === '' ? 0 : stack.indexOf(message) + message.length;
  const calls = stack.includes(message) ? stack.slice(start) : '';
  return { frames: parse(calls).map(frameOf) };
}

function frameOf({ filename = '', function: name, lineno, colno }: StackFrame): StackFrame {
  const file = filename.startsWith(`${location.origin}/assets/`) ? filename.slice(location.origin.length + 1) : null;
  return {
    filename: file ?? '?',
    function: fitting(callName, name) ?? '?',
    ...(lineno !== undefined && { lineno }),
    ...(colno !== undefined && { colno }),
    in_app: file !== null,
  };
}
