import type { EventEnvelope } from '@parley/protocol';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomPart } from './ids/index.ts';

/** Says which request or event caused the code that runs now. All code that it awaits inherits this context. */
export type CallContext = {
  /** The same id in everything that one request caused. */
  readonly correlationId: string;
  /** The event that caused this; null in a request or a job. */
  readonly causationId: string | null;
  /** The trace that the caller is part of, as a W3C traceparent. */
  readonly traceparent: string | null;
  /** True if the request repeats an earlier one with the same ids; its log line then says so. */
  isRepeat?: true;
};

const storage = new AsyncLocalStorage<CallContext>();

export const callContext = {
  /** Returns the context of the request, event or job that runs now; outside of these, a new one. */
  current: (): CallContext => storage.getStore() ?? newCallContext(null),
  /** Returns the context of the code that runs now; null outside of a request, event or job. */
  entered: (): CallContext | null => storage.getStore() ?? null,
  /** Marks the request as a repetition with the same ids. */
  markRepeat: (): void => {
    const context = storage.getStore();
    if (context) context.isRepeat = true;
  },
  run: <Result>(context: CallContext, act: () => Result): Result => storage.run(context, act),
};

const traceOf = (traceparent: string | null): string | undefined =>
  /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? '')?.[1];

/** Returns the caller's trace (W3C Trace Context), or a new one if it is missing or invalid. */
export const traceparentFor = (header: string | null): string =>
  header !== null && traceOf(header) !== undefined
    ? header
    : `00-${randomPart(16).toString('hex')}-${randomPart(8).toString('hex')}-01`;

/**
 * Returns the context of a request or job that begins. The correlation is the trace id of the header, or a new one
 * without a valid header; no event caused it.
 */
export function newCallContext(traceparent: string | null): CallContext {
  const traceId = traceOf(traceparent);
  return {
    correlationId: traceId ?? randomPart(16).toString('hex'),
    causationId: null,
    traceparent: traceId === undefined ? null : traceparent,
  };
}

/** Returns the context for handling an event: the event is the cause; correlation and trace are those of the event. */
export function contextOfEvent({ id, correlationid, traceparent }: EventEnvelope): CallContext {
  return { correlationId: correlationid, causationId: id, traceparent };
}
