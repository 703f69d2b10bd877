import { afterEach, expect, test } from '@jest/globals';
import { Health } from './health.ts';
import { startManagement, type RunningManagement } from './management-server.ts';
import { PromMetrics } from './prometheus/prom-metrics.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(): Promise<{
  health: Health;
  metrics: PromMetrics;
  management: RunningManagement;
  get(path: string): Promise<{ status: number; text: string }>;
}> {
  const health = new Health();
  const metrics = new PromMetrics();
  const management = await startManagement({ listen: { host: '127.0.0.1', port: 0 }, health, metrics });
  closing.push(
    () => management.close(),
    () => health.close(),
  );
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${management.port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return { health, metrics, management, get };
}

test('health is started, then ready while all parts are, and never ready again while draining', async () => {
  const { health, get } = await start();
  let store: string | null = 'not connected';
  health.readyWhile('store', () => store);
  expect([
    (await get('/health/startup')).status,
    (await get('/health/ready')).status,
    (await get('/health/live')).status,
  ]).toEqual([503, 503, 200]);
  health.started();
  health.serving();
  expect([(await get('/health/startup')).status, await get('/health/ready')]).toEqual([
    200,
    { status: 503, text: '{"ok":false,"reasons":["store: not connected"]}' },
  ]);
  store = null;
  expect((await get('/health/ready')).status).toBe(200);
  health.draining();
  expect([
    (await get('/health/ready')).status,
    (await get('/health/live')).status,
    (await get('/elsewhere')).status,
  ]).toEqual([503, 200, 404]);
});

test('a stuck part makes the process dead, and an unavailable store doesn’t', async () => {
  const { health, get } = await start();
  health.readyWhile('store', () => 'not connected');
  expect((await get('/health/live')).status).toBe(200);
  health.aliveWhile('consumers', () => 'billing stands still');
  expect(await get('/health/live')).toEqual({
    status: 503,
    text: '{"ok":false,"reasons":["consumers: billing stands still"]}',
  });
});

test('writes metrics of several services in one process as Prometheus text, without a failing gauge, requests by route', async () => {
  const { metrics, get } = await start();
  metrics.gauge('parley_outbox_pending', { service: 'auth' }, () => 3);
  metrics.gauge('parley_outbox_pending', { service: 'org' }, () => Promise.reject(new Error('the store is away')));
  metrics.gauge('parley_kafka_consumer_lag', { service: 'billing', group: 'billing' }, () => Promise.resolve(7));
  const job = { service: 'chat', kind: 'read-file', state: 'parked' };
  metrics.gauge('parley_jobs', job, () => 2);
  metrics.requestServed({ service: 'auth', method: 'GET', route: '/api/auth/me', status: 200 }, 0.004);
  const { text } = await get('/metrics');
  expect(text).toContain('parley_outbox_pending{service="auth"} 3');
  expect(text).not.toContain('service="org"');
  expect(text).toContain('parley_kafka_consumer_lag{service="billing",group="billing"} 7');
  expect(text).toContain('parley_jobs{service="chat",kind="read-file",state="parked"} 2');
  expect(text).toContain(
    'http_server_request_duration_seconds_bucket{le="0.005",service="auth",method="GET",route="/api/auth/me",status="200"} 1',
  );
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});
