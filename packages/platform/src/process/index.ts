export * from './process-config.ts';
export * from './run-deployable.ts';
