import { afterAll, describe, test } from '@jest/globals';
import type { Skipped, TestServer } from './servers/test-server.ts';

/** Declares tests that need a real server. Where it cannot run they count as one skipped test, and the reason is printed. */
export function describeOn(name: string, server: TestServer | Skipped, define: (server: TestServer) => void): void {
  if ('skipped' in server) {
    process.stderr.write(`skipped: ${name}: ${server.skipped}\n`);
    test.skip(`${name}: skipped: ${server.skipped}`, () => undefined);
    return;
  }
  describe(name, () => {
    afterAll(() => server.close());
    define(server);
  });
}
