export * from './revocations.ts';
