import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { goldenCases } from '../acceptance/golden/run-golden.ts';
import { startTestServer, type TestServer } from './test-server.spec-setup.ts';

describe('documented answers', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  test.each(goldenCases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    await one.run(server.client.db('golden'));
  });
});
