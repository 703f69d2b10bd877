import { afterAll, expect, jest, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { OrganisationCalls } from './organisation-calls.ts';

jest.useFakeTimers();
afterAll(() => void jest.useRealTimers());

/** Calls to an org that is away until `comesBack` is called. */
function callsOf() {
  let isAway = true;
  const call = jest.fn(async () => {
    if (isAway) throw new Error('away');
    return { timeZone: 'Asia/Kathmandu' };
  });
  const calls = new OrganisationCalls({ peers: { call } } as never);
  return { zone: () => calls.timeZoneOf(newId('organisation')), call, comesBack: () => (isAway = false) };
}

test('while org is away, one entry in five seconds waits for it', async () => {
  const { zone, call, comesBack } = callsOf();
  expect([await zone(), await zone(), await zone()]).toEqual([null, null, null]);
  expect(call).toHaveBeenCalledTimes(1);
  comesBack();
  jest.advanceTimersByTime(5_001);
  expect(await zone()).toBe('Asia/Kathmandu');
  expect(await zone()).toBe('Asia/Kathmandu');
});
