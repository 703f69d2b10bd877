import type { Mutant } from './mutant.ts';

const metrics = 'services/monitoring/src/metrics';
const now = 'services/monitoring/src/now';
const spec = 'monitoring/src/metrics/metrics.spec';

/** What is counted over time, what happens now, and stopping what runs. */
export const monitoringMutants: readonly Mutant[] = [
  {
    breaks: 'attempts that are told again later count on the day of the telling',
    file: `${metrics}/count-attempts.ts`,
    find: 'new Date(data.endedAt ?? time)',
    put: 'new Date(time)',
    spec: 'cli/src/rebuild.spec|monitoring/src/metrics/metrics.spec',
  },
  {
    breaks: 'monitoring counts beside the transaction',
    file: `${metrics}/metrics.repository.ts`,
    find: 'within(counting, tx)\n        .upsertEach(',
    put: 'within(counting)\n        .upsertEach(',
    spec,
  },
  {
    breaks: 'every model is counted apart, however many there are',
    file: `${metrics}/metric.ts`,
    find: 'else if (left > 0) {',
    put: 'else {',
    spec,
  },
  {
    breaks: 'days begin in UTC',
    file: `${metrics}/metric-steps.ts`,
    find: "step === 'day' ? dayIn(timeZone, at) : at",
    put: 'at',
    spec: 'monitoring/src/metrics',
  },
  {
    breaks: 'a step that is running is compared with one that is over',
    file: `${metrics}/metrics.service.ts`,
    find: 'sumOf(current.slice(0, -1))',
    put: 'sumOf(current)',
    spec,
  },
  {
    breaks: 'what waits counts as complete',
    file: `${metrics}/metrics.service.ts`,
    find: 'if ((await this.lag.count()) === 0)',
    put: 'if (true)',
    spec,
  },
  {
    breaks: 'whoever may see figures sees who asks',
    file: `${now}/running-list.service.ts`,
    find: 'const askers = maySeePeople ?',
    put: 'const askers = true || maySeePeople ?',
    spec: 'monitoring/src/now/now.spec',
  },
  {
    breaks: 'a stop is told as often as it is asked for',
    file: 'services/chat/src/generations/generations.repository.ts',
    find: 'status: { $in: unfinished }, stopRequested: false }',
    put: 'status: { $in: unfinished } }',
    spec: 'chat/src/generations/running-generations.spec',
  },
  {
    breaks: 'monitoring is asked each second though nobody watches any more',
    file: 'bff/src/realtime/now-relay.ts',
    find: 'clearInterval(watched.get(room));',
    put: '',
    spec: 'bff/src/realtime/now-relay.spec',
  },
  {
    breaks: 'whoever may not see figures watches them',
    file: 'bff/src/realtime/sockets.ts',
    find: "if (allows({ userId, permissions }, 'monitoring:read_org'))",
    put: 'if (permissions.length >= 0)',
    spec: 'bff/src/realtime/sockets.spec',
  },
];
