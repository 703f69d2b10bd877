import type { Mutant } from './mutant.ts';

const reporter = 'packages/platform/src/reporter';
const tunnel = 'bff/src/errors';
const errors = 'services/monitoring/src/errors';

export const errorMutants: readonly Mutant[] = [
  {
    breaks: 'what people wrote leaves in a code',
    file: `${reporter}/error-report.ts`,
    find: '(word.test(String(text)) ? String(text) : null)',
    put: 'String(text)',
    spec: 'platform/src/reporter/reporter.spec',
  },
  {
    breaks: 'messages leave in the stack',
    file: `${reporter}/error-report.ts`,
    find: 'const start = Math.max(stack.indexOf(message), 0) + message.length;',
    put: 'const start = 0;',
    spec: 'platform/src/reporter/reporter.spec',
  },
  {
    breaks: 'the collector tells itself of its own faults for ever',
    file: `${reporter}/collector-reporter.ts`,
    find: 'if (context.route === takeErrorReports.path) return;',
    put: '',
    spec: 'platform/src/reporter/reporter.spec',
  },
  {
    breaks: 'an error that somebody asked for is retried and becomes a dead letter',
    file: 'packages/platform/src/event-bus/consumers/consumer.ts',
    find: 'if (failure.error instanceof ErrorTest) {',
    put: 'if (failure.error === null) {',
    spec: 'embedded/src/errors.spec',
  },
  {
    breaks: 'a browser plants a text as the class of an error',
    file: `${tunnel}/read-envelope.ts`,
    find: "kept(/^[A-Z][A-Za-z]{1,50}$/, type) ?? 'Error'",
    put: 'type as string',
    spec: 'bff/src/errors/read-envelope.spec',
  },
  {
    breaks: 'the address of a page is kept',
    file: `${tunnel}/read-envelope.ts`,
    find: 'route !== null && pagePaths.has(route)',
    put: 'route !== null',
    spec: 'bff/src/errors/read-envelope.spec',
  },
  {
    breaks: 'an envelope may hold any number of items',
    file: `${tunnel}/read-envelope.ts`,
    find: 'item < Math.min(count, errorLimits.items)',
    put: 'item < count',
    spec: 'bff/src/errors/read-envelope.spec',
  },
  {
    breaks: 'what nests deep is parsed',
    file: `${tunnel}/read-envelope.ts`,
    find: "if (depthOf(payload) > errorLimits.depth) return 'depth';",
    put: '',
    spec: 'bff/src/errors/read-envelope.spec',
  },
  {
    breaks: 'what is packed is taken',
    file: `${tunnel}/error-tunnel.ts`,
    find: "if (headers['content-encoding'] !== undefined &&",
    put: "if (headers['content-encoding'] === 'br' &&",
    spec: 'embedded/src/errors.spec',
  },
  {
    breaks: 'whoever is signed in makes the BFF fail',
    file: `${tunnel}/own-routes.ts`,
    find: "test.kind === 'bff'",
    put: 'test.id',
    spec: 'embedded/src/errors.spec',
  },
  {
    breaks: 'a report that is told again counts twice',
    file: `${errors}/collector.service.ts`,
    find: 'if (await samples.exists({ eventId: report.eventId })) return;',
    put: '',
    spec: 'monitoring/src/errors/errors.spec',
  },
  {
    breaks: 'there are any number of groups',
    file: `${errors}/collector.service.ts`,
    find: '>= mostErrorGroups)',
    put: '> mostErrorGroups)',
    spec: 'monitoring/src/errors/errors.spec',
  },
  {
    breaks: 'a group keeps all of its reports',
    file: `${errors}/collector.service.ts`,
    find: '(group.count - 1) % mostErrorSamples',
    put: 'group.count',
    spec: 'monitoring/src/errors/errors.spec',
  },
  {
    breaks: 'everybody makes errors',
    file: `${errors}/error-tests.service.ts`,
    find: "if (platformRole !== 'admin' && !this.parts.settings.mayEverybodyTest)",
    put: 'if (platformRole === undefined)',
    spec: 'monitoring/src/errors/errors.spec',
  },
  {
    breaks: 'what was resolved stays so when it happens again',
    file: `${errors}/error-group.ts`,
    find: 'isBack: before.isBack || before.isResolved,\n    isResolved: false,',
    put: 'isBack: before.isBack || before.isResolved,\n    isResolved: before.isResolved,',
    spec: 'monitoring/src/errors/error-group.spec',
  },
  {
    breaks: 'people are known by their ids',
    file: `${errors}/error-group.ts`,
    find: 'userId && hashed(groupId, userId).slice(0, 16);',
    put: 'userId;',
    spec: 'monitoring/src/errors/error-group.spec',
  },
];
