import { expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestParley } from '@parley/embedded/test-parley';

test('what ends the process is reported before it ends, where a DSN is set', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => void received.push(chunk.toString()));
    request.on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const running = await startTestParley({ PARLEY_SENTRY_DSN: `http://key@127.0.0.1:${port}/1` });
  running.parley.reportCrash(new Error('nobody caught this'));
  await running.close();
  expect(received.join()).toContain('"deployable":"embedded"');
  expect(received.join()).not.toContain('nobody caught');
  receiver.close();
}, 60_000);
