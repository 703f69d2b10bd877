export { RegistrationModule } from './registration.module.ts';
