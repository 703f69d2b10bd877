export { RegistrationModule } from './registration.module.ts';
export { RegistrationService } from './registration.service.ts';
