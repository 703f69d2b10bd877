export * from './redis-kv.ts';
