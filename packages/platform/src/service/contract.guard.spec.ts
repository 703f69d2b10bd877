import { expect, test } from '@jest/globals';
import { lateTokenHeader, Problem, type ProblemCode } from '@parley/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { ContractGuard } from './contract.guard.ts';

/** Asks with a token that the verifier refuses by this code: what the caller gets, and what the BFF is told. */
async function refusedBy(code: ProblemCode): Promise<{ thrown: unknown; told: Record<string, string> }> {
  const told: Record<string, string> = {};
  const res = { setHeader: (name: string, value: string) => (told[name] = value) };
  const request = { header: () => 'a-token', headers: {}, res };
  const guard = new ContractGuard({
    platform: { verifier: { verify: () => Promise.reject(new Problem(code)) } },
    mongo: { isAway: false },
    reflector: { get: () => ({ scope: 'person' }) },
  } as never);
  const context = {
    getType: () => 'http',
    getHandler: () => null,
    switchToHttp: () => ({ getRequest: () => request }),
  };
  const thrown = await guard.canActivate(context as unknown as ExecutionContext).catch((error: unknown) => error);
  return { thrown, told };
}

test('the BFF is told of a token that has expired, and of no other that is refused', async () => {
  const late = await refusedBy('platform.unavailable');
  expect(late).toMatchObject({ thrown: { code: 'platform.unavailable' }, told: { [lateTokenHeader]: 'expired' } });
  const forged = await refusedBy('platform.unauthenticated');
  expect(forged).toMatchObject({ thrown: { code: 'platform.unauthenticated' }, told: {} });
  expect(forged.told).toEqual({});
});
