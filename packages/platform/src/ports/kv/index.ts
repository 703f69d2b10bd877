export * from './kv.ts';
export * from './memory/memory-kv.ts';
