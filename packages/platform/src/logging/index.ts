export * from './logging.ts';
