export * from '../../ports/reporter/index.ts';
export * from './open-reporter.ts';
