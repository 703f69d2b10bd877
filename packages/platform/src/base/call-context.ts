import type { EventEnvelope } from '@parley/protocol';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomPart } from './ids/index.ts';

/** What led to whatever runs now. It is passed on by itself to everything that is awaited. */
export type CallContext = {
  /** The same in everything that one request led to. */
  readonly correlationId: string;
  /** The event that led here; null in a request or a job. */
  readonly causationId: string | null;
  /** The trace that the caller is part of, as a W3C traceparent. */
  readonly traceparent: string | null;
  /** What was asked for had been done before, so that its line says so. */
  isRepeat?: true;
};

const storage = new AsyncLocalStorage<CallContext>();

export const callContext = {
  /** That of the request, the event or the job that runs now; a new one where nobody entered any. */
  current: (): CallContext => storage.getStore() ?? newCallContext(null),
  /** That of whatever runs now; null where nobody entered any. */
  entered: (): CallContext | null => storage.getStore() ?? null,
  /** Whoever asked had asked before with the same ids. */
  markRepeat: (): void => {
    const context = storage.getStore();
    if (context) context.isRepeat = true;
  },
  run: <Result>(context: CallContext, act: () => Result): Result => storage.run(context, act),
};

const traceOf = (traceparent: string | null): string | undefined =>
  /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? '')?.[1];

/** The trace that a caller brings (W3C Trace Context), or a new one where that is missing or none. */
export const traceparentFor = (header: string | null): string =>
  header !== null && traceOf(header) !== undefined
    ? header
    : `00-${randomPart(16).toString('hex')}-${randomPart(8).toString('hex')}-01`;

/**
 * Of a request or of a job that begins: the correlation is the trace id of the header, or a new one where there is no
 * valid header; nothing caused it.
 */
export function newCallContext(traceparent: string | null): CallContext {
  const traceId = traceOf(traceparent);
  return {
    correlationId: traceId ?? randomPart(16).toString('hex'),
    causationId: null,
    traceparent: traceId === undefined ? null : traceparent,
  };
}

/** Of what handles an event: the event is the cause, everything else goes on. */
export function contextOfEvent({ id, correlationid, traceparent }: EventEnvelope): CallContext {
  return { correlationId: correlationid, causationId: id, traceparent };
}
