export * from './every.ts';
