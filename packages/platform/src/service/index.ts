export { errorTests } from './error-tests.ts';
export { feature } from './feature.ts';
export * from './platform.ts';
export * from './problem.filter.ts';
export { republish } from './republish.ts';
export type { RecordSnapshot } from '../outbox/index.ts';
export * from './route.ts';
export * from './start-nest-service.ts';
export * from './start-owner.ts';
