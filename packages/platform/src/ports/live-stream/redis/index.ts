export * from './redis-live-stream.ts';
