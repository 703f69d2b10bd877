export * from '../../jobs/fair-turns/index.ts';
export { Flows } from './flows.ts';
export { FlowsModule } from './flows.module.ts';
