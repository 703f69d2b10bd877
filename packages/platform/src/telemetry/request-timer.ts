import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Platform } from '../service/platform.ts';
import { newCallContext } from '../work/call-context.ts';

/**
 * Measures each request until its answer is out, and writes it down with its trace where there are several processes. `routeOf` is asked at the end and must not return what the caller
 * typed.
 */
export function requestTimer(
  { metrics, logger, isAlone }: Pick<Platform, 'metrics' | 'logger' | 'isAlone'>,
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
      const { correlationId: traceId } = newCallContext(request.header('traceparent') ?? null);
      if (!isAlone) logger.info({ ...served, milliseconds: Math.round(milliseconds), traceId }, 'request');
    });
    next();
  };
}
