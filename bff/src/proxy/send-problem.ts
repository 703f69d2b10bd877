import { problemAnswer } from '@parley/contracts';
import type { Problem } from '@parley/protocol';
import { traceIdOf } from '@parley/platform/service';
import type { Request, Response } from 'express';

/** Answers with `application/problem+json`. */
export function sendProblem(response: Response, problem: Problem, request: Request): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const traceparent = request.headers['traceparent'];
  const { status, headers, body } = problemAnswer(problem, {
    path: request.path ?? request.url,
    traceId: traceIdOf(typeof traceparent === 'string' ? traceparent : undefined),
  });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // A program that shows no key, or one that does not work, is told what it takes (RFC 9110, 11.6.1).
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  response.statusCode = status;
  response.end(body);
}
