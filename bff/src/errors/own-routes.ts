import { failInBff, getErrorTest, sendErrorEnvelope } from '@parley/contracts';
import { ErrorTest } from '@parley/platform/reporter';
import type { Platform } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import type { Request, Response } from 'express';
import type { Admitted } from '../proxy/api-gate.ts';
import type { ErrorTunnel } from './error-tunnel.ts';

type Handler = (request: Request, response: Response, admitted: Admitted) => Promise<void>;
/** The routes whose contract says that the BFF answers them. */
export type OwnRoutes = ReadonlyMap<string, Handler>;

export function ownRoutes(platform: Platform, tunnel: ErrorTunnel): OwnRoutes {
  return new Map<string, Handler>([
    [sendErrorEnvelope.route, (request, response) => tunnel.take(request, response)],
    [failInBff.route, (request, _response, { token }) => fail(request, platform, token ?? '')],
  ]);
}

/** Only for a test that this person has asked for. */
async function fail(request: Request, { peers }: Platform, personToken: string): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > 0)
    throw new Problem('platform.invalid-request', { detail: 'This route takes no body.' });
  const params = { errorTestId: request.path.split('/').at(-2) as never };
  const test = await peers.call(getErrorTest, { params }, { personToken, deadlineMs: 5_000, failMode: 'refuse' });
  throw test.kind === 'bff' ? new ErrorTest(test.id as never) : new Problem('platform.not-found');
}
