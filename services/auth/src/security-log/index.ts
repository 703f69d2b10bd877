import { listSecurityLog } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { UsersModule } from '../users/index.ts';
import { SecurityLog } from './security-log.ts';

export { SecurityLog, type FailedSignIn } from './security-log.ts';

export const securityLogFeature = feature({
  routes: { list: listSecurityLog },
  handlers: SecurityLog,
  imports: [UsersModule],
  exports: [SecurityLog],
});
