export * from './process-config.ts';
