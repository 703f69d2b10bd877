export { GenerationsModule } from './generations.module.ts';
