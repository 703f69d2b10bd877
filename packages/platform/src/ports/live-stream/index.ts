export * from './live-stream.ts';
export * from './memory/memory-live-stream.ts';
