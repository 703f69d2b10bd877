export * from './define-event.ts';
export * from './define-route.ts';
export * from './ids.ts';
export * from './paging.ts';
export * from './parse-known.ts';
export * from './problem.ts';
export * from './vocabulary.ts';
