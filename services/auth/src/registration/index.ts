import { getRegistration, register } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { sessionsFeature } from '../sessions/index.ts';
import { UsersModule } from '../users/index.ts';
import { RegistrationService } from './registration.service.ts';

export { RegistrationService } from './registration.service.ts';

export const registrationFeature = feature({
  routes: { info: getRegistration, register },
  handlers: RegistrationService,
  imports: [UsersModule, sessionsFeature],
});
