export * from './balancer.ts';
export * from './infrastructure.ts';
export * from './installation.ts';
