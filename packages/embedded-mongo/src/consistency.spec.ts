import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../acceptance/consistency.ts';
import { checkContention } from '../acceptance/contention.ts';
import { startTestServer, type TestServer } from './test-server.spec-setup.ts';

describe('answers do not depend on the way', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test('of index, command or transaction', async () => {
    await expect(checkConsistency(server.client, { runs: 25 })).resolves.toBeUndefined();
  }, 60_000);

  test('and money is neither made nor lost by transfers at the same time', async () => {
    const result = await checkContention(server.client, { accounts: 3, callers: 12, rounds: 20 });
    expect(result).toMatchObject({ transfers: 180, increments: 60 });
    expect(result.attempts).toBeGreaterThan(result.transfers);
  }, 60_000);
});
