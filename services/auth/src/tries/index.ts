export { Tries } from './tries.ts';
export { TriesModule } from './tries.module.ts';
