import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from '../logging/index.ts';
import { newCallContext, type CallContext } from '../call-context.ts';
import type { Metrics } from './metrics.ts';

/** The field of a response's `locals` with the context of its request. */
export const contextOfCall = 'callContext';

const slowMs = 1_000;

/** Holds the parts of `Platform` that the timer uses. */
type Parts = { readonly metrics: Metrics; readonly logger: Logger; readonly isAlone: boolean };

/**
 * Measures each request until its response is sent. With several processes it also logs the request with its trace; a
 * repeated request says `repeat`. A request between services gets an info line only if it is refused, failed, slow or
 * repeated, because processes ask each other several times a second. `routeOf` is called at the end and must not return
 * text that the caller typed.
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
