export * from './outbound.ts';
