export * from './outbound.ts';
export { outboundAllow } from './outbound-allow.ts';
