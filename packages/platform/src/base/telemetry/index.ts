export * from './health.ts';
export * from './management-server.ts';
export * from './metrics.ts';
export * from './request-timer.ts';
