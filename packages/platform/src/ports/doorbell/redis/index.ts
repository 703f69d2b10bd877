export * from './redis-doorbell.ts';
