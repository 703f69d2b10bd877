import { expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';

test('it resolves with what the check returned, once it neither throws nor returns false', async () => {
  const outcomes: (() => unknown)[] = [
    () => {
      throw new Error('Not yet.');
    },
    () => false,
    () => 'there',
  ];
  expect(await eventually(() => outcomes.shift()?.(), 'it should be there')).toBe('there');
  expect(outcomes).toEqual([]);
});

test('it gives up with the last failure', async () => {
  let checks = 0;
  const check = () => {
    checks += 1;
    throw new Error(`Check ${checks} failed.`);
  };
  const given = eventually(check, 'it should be there', 50);
  await expect(given).rejects.toThrow(/^Not so after 50 ms: it should be there\nCheck \d+ failed\.$/);
});

test('the longer it waits, the less often it checks', async () => {
  let checks = 0;
  const check = () => {
    checks += 1;
    return false;
  };
  await expect(eventually(check, 'it should be there', 1_000)).rejects.toThrow('Not so after 1000 ms');
  // Every 10 ms would be 100 checks. A busy machine makes fewer.
  expect(checks).toBeLessThan(70);
});
