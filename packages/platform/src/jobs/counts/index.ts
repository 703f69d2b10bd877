export * from './come-back.ts';
export * from './counts.ts';
