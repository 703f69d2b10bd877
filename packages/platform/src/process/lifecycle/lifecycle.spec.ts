import { expect, test } from '@jest/globals';
import { createLogger } from '../../base/logging/index.ts';
import { Lifecycle } from './lifecycle.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

test('stops, then drains, then closes, each phase once, and closes even if a step fails', async () => {
  const order: string[] = [];
  const lifecycle = new Lifecycle(logger);
  lifecycle.add('close', 'store', () => void order.push('close store'));
  lifecycle.add('drain', 'consumers', async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push('drain consumers');
  });
  lifecycle.add('stop', 'broken', () => Promise.reject(new Error('broken')));
  lifecycle.add('stop', 'door', () => void order.push('stop door'));
  await Promise.all([lifecycle.shutdown(), lifecycle.shutdown()]);
  expect(order).toEqual(['stop door', 'drain consumers', 'close store']);
});

test('a step that hangs doesn’t hold the process: after the deadline the next phase begins', async () => {
  const lifecycle = new Lifecycle(logger, 150);
  let isClosed = false;
  lifecycle.add('drain', 'hangs', () => new Promise(() => undefined));
  lifecycle.add('close', 'store', () => {
    isClosed = true;
  });
  await lifecycle.shutdown();
  expect(isClosed).toBe(true);
});
