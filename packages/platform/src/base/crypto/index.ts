export * from './key-ring.ts';
export * from './sealer.ts';
export * from './tokens.ts';
