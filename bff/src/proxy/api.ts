import { isReportable } from '@parley/contracts';
import { toProblem, traceIdOf, type Platform } from '@parley/platform/service';
import { callContext, newCallContext } from '@parley/platform/work';
import { Router, type NextFunction, type Request, type Response } from 'express';
import { randomBytes } from 'node:crypto';
import type { ApiGate } from './api-gate.ts';
import type { Upstreams } from './forward.ts';
import { sendProblem } from './send-problem.ts';

/** `/api/<service>/…` and `/v1/…`: through the gate, then to the service. */
export function createApi(gate: ApiGate, upstreams: Upstreams, platform: Platform): Router {
  const router = Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
    request.headers['traceparent'] = traceparent;
    response.setHeader('cache-control', 'no-store');
    callContext
      .run(newCallContext(traceparent), () => gate.admit(request))
      .then((admitted) => {
        response.locals['admitted'] = admitted;
        return upstreams[admitted.route.service].handle(request, response, next);
      })
      .catch((error: unknown) => {
        const problem = toProblem(error);
        if (isReportable(problem.code)) {
          const traceId = traceIdOf(traceparent);
          platform.logger.error({ traceId, path: request.path, err: error }, 'the gate failed');
          platform.reporter.report(error, { deployable: 'bff', during: 'request', traceId });
        }
        request.resume();
        sendProblem(response, problem, request);
      });
  });
  return router;
}
