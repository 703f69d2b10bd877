export { ProfileModule } from './profile.module.ts';
