export * from './revocations.ts';
export * from './revocation-log.ts';
