import { sendErrorEnvelope } from '@parley/contracts';
import type { Counts } from '@parley/platform/counts';
import { toProblem, traceIdOf, type Platform } from '@parley/platform/service';
import { callContext, newCallContext, traceparentFor } from '@parley/platform/work';
import { isReportable, Problem } from '@parley/protocol';
import { Router, type NextFunction, type Request, type Response } from 'express';
import type { ErrorTunnel } from '../errors/error-tunnel.ts';
import { ownRoutes } from '../errors/own-routes.ts';
import type { Admitted, ApiGate } from './api-gate.ts';
import type { Upstreams } from './forward.ts';
import { AtOnceGate } from './at-once.ts';
import { sendProblem } from './send-problem.ts';

export type ApiParts = {
  readonly gate: ApiGate;
  readonly upstreams: Upstreams;
  readonly tunnel: ErrorTunnel;
  readonly platform: Platform;
  readonly counts: Counts;
};

/** As OpenAI's servers tell it: clients slow down by these. */
function tellAllowance({ allowance }: Admitted, response: Response): void {
  if (!allowance) return;
  response.setHeader('x-ratelimit-limit-requests', allowance.most);
  response.setHeader('x-ratelimit-remaining-requests', allowance.left);
  response.setHeader('x-ratelimit-reset-requests', `${allowance.secondsLeft}s`);
}

/** `/api/<service>/…` and `/v1/…`: through the gate, then to the service; a few the BFF answers itself. */
export function createApi({ gate, upstreams, tunnel, platform, counts }: ApiParts): Router {
  const router = Router();
  const own = ownRoutes(platform, tunnel);
  const atOnce = new AtOnceGate(counts);
  const answer = async (request: Request, response: Response, next: NextFunction): Promise<unknown> => {
    const admitted = await gate.admit(request);
    response.locals['admitted'] = admitted;
    if (request.path.startsWith('/v1/')) tellAllowance(admitted, response);
    await atOnce.take(admitted, request, response);
    const handle = own.get(admitted.route.route);
    if (!handle) return upstreams[admitted.route.service].handle(request, response, next);
    if (Object.keys(request.query).length > 0)
      throw new Problem('platform.invalid-request', { detail: 'This route takes no query.' });
    return handle(request, response, admitted);
  };
  const failed = (error: unknown, request: Request, response: Response) => {
    const problem = toProblem(error);
    if (isReportable(problem.code)) {
      const traceId = traceIdOf(request.header('traceparent'));
      const { route, principal } = (response.locals['admitted'] ?? {}) as Partial<Admitted>;
      platform.logger.error({ traceId, path: request.path, err: error }, 'the gate failed');
      const who = { deployable: 'bff', during: 'request', route: route?.path, userId: principal?.userId } as const;
      platform.reporter.report(error, { ...who, traceId });
    }
    if (request.path === sendErrorEnvelope.path) tunnel.refused(problem);
    request.resume();
    sendProblem(response, problem, request);
  };
  router.use((request: Request, response: Response, next: NextFunction) => {
    const traceparent = traceparentFor(request.header('traceparent') ?? null);
    request.headers['traceparent'] = traceparent;
    response.setHeader('cache-control', 'no-store');
    if (request.path.startsWith('/v1/')) response.setHeader('x-request-id', traceIdOf(traceparent));
    callContext
      .run(newCallContext(traceparent), () => answer(request, response, next))
      .catch((error: unknown) => failed(error, request, response));
  });
  return router;
}
