import { afterAll, describe, test } from '@jest/globals';
import type { Skipped } from './servers/test-server.ts';

/**
 * Declares tests that need something real and closes it after them. Where it cannot run they count as one skipped test,
 * and the reason is printed.
 */
export function describeOn<Real extends { close(): Promise<void> }>(
  name: string,
  real: Real | Skipped,
  define: (real: Real) => void,
): void {
  if ('skipped' in real) return describeSkipped(name, real);
  describe(name, () => {
    define(real);
    // Declared last: who uses it ends first.
    afterAll(() => real.close());
  });
}

export function describeSkipped(name: string, { skipped }: Skipped): void {
  process.stderr.write(`skipped: ${name}: ${skipped}\n`);
  test.skip(`${name}: skipped: ${skipped}`, () => undefined);
}
