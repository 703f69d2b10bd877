export * from './doorbell.ts';
export * from './memory/memory-doorbell.ts';
