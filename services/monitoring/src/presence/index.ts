import { listActiveUsers, putPresence } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { RunningAnswersModule } from '../running-answers/index.ts';
import { ActiveUsersService } from './active-users.service.ts';
import { PresenceService } from './presence.service.ts';

export const presenceFeature = feature({
  routes: { put: putPresence },
  handlers: PresenceService,
  exports: [PresenceService],
});

export { PresenceService } from './presence.service.ts';

export const activeUsersFeature = feature({
  routes: { list: listActiveUsers },
  handlers: ActiveUsersService,
  imports: [presenceFeature, RunningAnswersModule],
});
