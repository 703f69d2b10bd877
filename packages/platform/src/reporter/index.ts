export * from './open-reporter.ts';
export * from './reporter.ts';
