export * from './peers.ts';
