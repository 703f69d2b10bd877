import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/index.ts';
import { newCallContext, type CallContext } from '../call-context.ts';
import type { Metrics } from './metrics.ts';

/** Under this name a response's `locals` have the context that its request runs in. */
export const contextOfCall = 'callContext';

const slowMs = 1_000;

/** Holds the parts of `Platform` that the timer uses. */
type Parts = { readonly metrics: Metrics; readonly logger: Logger; readonly isAlone: boolean };

/**
 * Measures each request until its answer is out, and writes it down with its trace where there are several processes;
 * one that asked for what had been done before says `repeat`. Between services only those are logged at info that were
 * refused, failed, slow or repeated: each process asks others several times a second, also while nobody is there.
 * `routeOf` is asked at the end and must not return what the caller typed.
 */
export function requestTimer(
  { metrics, logger, isAlone }: Parts,
  service: string,
  routeOf: (request: Request, response: Response) => string | undefined,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.once('finish', () => {
      const { method } = request;
      const served = { method, route: routeOf(request, response) ?? 'unmatched', status: response.statusCode };
      const milliseconds = performance.now() - startedAt;
      metrics.requestServed({ service, ...served }, milliseconds / 1_000);
      if (isAlone) return;
      const entered = response.locals[contextOfCall] as CallContext | undefined;
      const context = entered ?? newCallContext(request.header('traceparent') ?? null);
      const { correlationId: traceId, isRepeat: repeat } = context;
      const isUsual = service !== 'bff' && response.statusCode < 400 && milliseconds < slowMs && !repeat;
      const line = { ...served, milliseconds: Math.round(milliseconds), traceId, repeat };
      logger[isUsual ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}
