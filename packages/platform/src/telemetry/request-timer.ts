import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Metrics } from './metrics.ts';

/**
 * Measures each request until its answer is out. `routeOf` is asked at the end and must not return what the caller
 * typed.
 */
export function requestTimer(
  metrics: Metrics,
  service: string,
  routeOf: (request: Request, response: Response) => string | undefined,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    response.once('finish', () => {
      const { method } = request;
      metrics.requestServed(
        { service, method, route: routeOf(request, response) ?? 'unmatched', status: response.statusCode },
        (performance.now() - startedAt) / 1_000,
      );
    });
    next();
  };
}
