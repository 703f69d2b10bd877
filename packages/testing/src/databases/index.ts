export * from './dump.ts';
