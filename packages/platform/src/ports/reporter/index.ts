export * from './error-report.ts';
export * from './error-test.ts';
export * from './reporter.ts';
export { sentryEventOf } from './sentry/sentry-event.ts';
