import { getMe, getPerson, knowsAddress, updateMe } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { picturesFeature } from '../pictures/index.ts';
import { sessionsFeature } from '../sessions/index.ts';
import { UsersModule } from '../users/index.ts';
import { ProfileConsumer } from './profile.consumer.ts';
import { ProfileService } from './profile.service.ts';

export const profileFeature = feature({
  routes: { read: getMe, update: updateMe, describe: getPerson, isKnown: knowsAddress },
  handlers: ProfileService,
  consumers: [ProfileConsumer],
  imports: [UsersModule, sessionsFeature, picturesFeature],
});
