export * from '../../jobs/fair-turns/index.ts';
export { Shares } from './shares.ts';
export { SharesModule } from './shares.module.ts';
