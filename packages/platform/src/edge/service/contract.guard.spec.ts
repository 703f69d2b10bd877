import { expect, test } from '@jest/globals';
import { confirmedMs, type PersonPrincipal } from '@parley/contracts';
import { lateTokenHeader, Problem, type ProblemCode } from '@parley/protocol';
import type { ExecutionContext } from '@nestjs/common';
import { markVerified } from '../../base/crypto/verified-principals.ts';
import { ContractGuard } from './contract.guard.ts';

const contextOf = (request: object): ExecutionContext =>
  ({
    getType: () => 'http',
    getHandler: () => null,
    switchToHttp: () => ({ getRequest: () => request }),
  }) as unknown as ExecutionContext;

/**
 * Sends a token that the verifier refuses with this code. Returns the error that the caller gets and the header for the
 * BFF.
 */
async function refusedBy(code: ProblemCode): Promise<{ thrown: unknown; told: Record<string, string> }> {
  const told: Record<string, string> = {};
  const res = { setHeader: (name: string, value: string) => (told[name] = value) };
  const request = { header: () => 'a-token', headers: {}, res };
  const guard = new ContractGuard({
    platform: { verifier: { verify: () => Promise.reject(new Problem(code)) } },
    mongo: { isAway: false },
    reflector: { get: () => ({ scope: 'person' }) },
  } as never);
  const thrown = await guard.canActivate(contextOf(request)).catch((error: unknown) => error);
  return { thrown, told };
}

test('tells the BFF about an expired token, and about no other refused token', async () => {
  const late = await refusedBy('platform.unavailable');
  expect(late).toMatchObject({ thrown: { code: 'platform.unavailable' }, told: { [lateTokenHeader]: 'expired' } });
  const forged = await refusedBy('platform.unauthenticated');
  expect(forged).toMatchObject({ thrown: { code: 'platform.unauthenticated' }, told: {} });
  expect(forged.told).toEqual({});
});

/** Opens a sensitive route as a person whose password was entered at that time. */
function openedAt(confirmedAt: string | undefined): Promise<unknown> {
  const principal = { kind: 'person', ...(confirmedAt && { confirmedAt }) } as PersonPrincipal;
  markVerified(principal);
  const guard = new ContractGuard({
    platform: { verifier: { verify: async () => principal }, revocations: { check: async () => undefined } },
    mongo: { isAway: false },
    reflector: { get: () => ({ scope: 'person', isSensitive: true, rawBodyLimit: 1 }) },
  } as never);
  const request = { header: () => 'a-token', headers: {}, params: {}, query: {} };
  return guard.canActivate(contextOf(request)).catch(({ code }: Problem) => code);
}

test('opens sensitive routes for ten minutes after the password was entered, and never if that time is missing', async () => {
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  expect(await openedAt(ago(confirmedMs - 5_000))).toBe(true);
  expect(await openedAt(ago(confirmedMs))).toBe('auth.sign-in-again');
  expect(await openedAt(undefined)).toBe('auth.sign-in-again');
});
