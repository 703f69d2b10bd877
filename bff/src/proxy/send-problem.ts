import type { Problem } from '@parley/contracts';
import { traceIdOf } from '@parley/platform/service';
import type { Request, Response } from 'express';

/** Answers with `application/problem+json`. */
export function sendProblem(response: Response, problem: Problem, request: Request): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const traceparent = request.headers['traceparent'];
  const details = problem.toDetails({
    instance: request.path ?? request.url,
    traceId: traceIdOf(typeof traceparent === 'string' ? traceparent : undefined),
  });
  if (details.retryAfterSeconds !== undefined) response.setHeader('retry-after', details.retryAfterSeconds);
  // A program that shows no key, or one that does not work, is told what it takes (RFC 9110, 11.6.1).
  if (details.status === 401) response.setHeader('www-authenticate', 'Bearer');
  response.statusCode = details.status;
  response.setHeader('content-type', 'application/problem+json; charset=utf-8');
  response.end(JSON.stringify(details));
}
