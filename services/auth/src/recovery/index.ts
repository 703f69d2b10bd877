import {
  changePassword,
  checkPasswordReset,
  getRecovery,
  requestPasswordReset,
  resetPassword,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { mailsFeature } from '../mails/index.ts';
import { sessionsFeature } from '../sessions/index.ts';
import { UsersModule } from '../users/index.ts';
import { PasswordSetting } from './password-setting.ts';
import { RecoveryConsumer } from './recovery.consumer.ts';
import { RecoveryService } from './recovery.service.ts';
import { ResetLinks } from './reset-links.ts';

export { ResetLinks } from './reset-links.ts';

export const recoveryFeature = feature({
  routes: {
    info: getRecovery,
    request: requestPasswordReset,
    check: checkPasswordReset,
    reset: resetPassword,
    change: changePassword,
  },
  handlers: RecoveryService,
  consumers: [RecoveryConsumer],
  providers: [ResetLinks, PasswordSetting],
  imports: [UsersModule, sessionsFeature, mailsFeature],
});
