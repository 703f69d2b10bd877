export { GenerationCountsModule } from './generation-counts.module.ts';
