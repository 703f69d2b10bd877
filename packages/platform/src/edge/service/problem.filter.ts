import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { problemAnswer } from '@parley/contracts';
import { isProblemCode, isReportable, Problem, type ProblemCode, type UserId } from '@parley/protocol';
import type { Response } from 'express';
import { throwError, type Observable } from 'rxjs';
import { isStorageFull, isStoreAway, type Mongo } from '../../rows/mongo/index.ts';
import type { Platform } from './platform.ts';
import type { CheckedRequest } from './route.ts';

/**
 * Turns anything thrown into `application/problem+json`. Internal errors are logged and reported with the trace id and
 * reveal nothing. For event handlers it passes the cause on unchanged, because Nest's own filter would replace it by
 * "Internal server error".
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly platform: Pick<Platform, 'logger' | 'reporter' | 'deployable'>) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> | undefined {
    if (host.getType() === 'rpc') return throwError(() => error);
    this.answer(error, host);
    return undefined;
  }

  private answer(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<CheckedRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const traceId = traceIdOf(request.header('traceparent'));
    const problem = toProblem(error);
    const { logger, reporter, deployable } = this.platform;
    const route = request.route?.path as string | undefined;
    if (request.destroyed && !request.complete) {
      // Not an error: the client has gone, and nothing of Parley failed.
      logger.info({ traceId, method: request.method, path: route }, 'the client cut its request off');
      response.destroy();
      return;
    }
    if (isReportable(problem.code)) {
      logger.error({ traceId, method: request.method, path: route, err: error }, 'request failed');
      reporter.report(error, { deployable, during: 'request', route, traceId, userId: userIdOf(request) });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers, body } = problemAnswer(problem, { path: request.path, traceId });
    response.status(status).set(headers).send(body);
  }
}

function userIdOf({ parley }: CheckedRequest): UserId | undefined {
  return parley?.principal?.kind === 'person' ? parley.principal.userId : undefined;
}

/** Returns the trace id of a W3C traceparent header, or zeros. */
export function traceIdOf(traceparent: string | undefined): string {
  return /^00-([0-9a-f]{32})-/.exec(traceparent ?? '')?.[1] ?? '0'.repeat(32);
}

const byStatus: Partial<Record<number, ProblemCode>> = {
  400: 'platform.invalid-request',
  404: 'platform.not-found',
  405: 'platform.method-not-allowed',
  413: 'platform.body-too-large',
  415: 'platform.unsupported-media-type',
};

const noRoom =
  'Nothing can be saved until whoever runs this server makes room on its disk; then it goes on by itself. Reading and deleting go on.';

export const storeAway = (cause?: unknown): Problem =>
  new Problem('platform.unavailable', { detail: 'The store does not answer. Try again in a moment.' }, { cause });

/**
 * Resolves like the given work, but rejects within five seconds if the store becomes unavailable meanwhile. The work
 * itself continues.
 */
export async function unlessAway<Result>(mongo: Pick<Mongo, 'whenAway'>, asked: Promise<Result>): Promise<Result> {
  const away = Promise.withResolvers<never>();
  const tellNoMore = mongo.whenAway(() => away.reject(storeAway()));
  return Promise.race([asked, away.promise]).finally(tellNoMore);
}

/**
 * Returns the problem of an error. Known errors of the HTTP libraries and of an unavailable store get their code; any
 * other error is `platform.internal` with its cause.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isStorageFull(error)) return new Problem('platform.storage-full', { detail: noRoom }, { cause: error });
  if (isStoreAway(error)) return storeAway(error);
  const parserError = error as { type?: string; status?: number } | null;
  if (parserError?.type === 'entity.parse.failed') return new Problem('platform.malformed-json', {}, { cause: error });
  const status = error instanceof HttpException ? error.getStatus() : parserError?.status;
  const code = status === undefined ? undefined : byStatus[status];
  return new Problem(code && isProblemCode(code) ? code : 'platform.internal', {}, { cause: error });
}
