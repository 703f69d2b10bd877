export * from '../reporter/index.ts';
export * from './open-reporter.ts';
