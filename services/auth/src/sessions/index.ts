import {
  chooseDefaultOrganisation,
  listAuthRevocations,
  resolveSession,
  signIn,
  signOut,
  signOutEverywhere,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { TriesModule } from '../tries/index.ts';
import { UsersModule } from '../users/index.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';

export { SessionsService, type StartedSession } from './sessions.service.ts';

export const sessionsFeature = feature({
  routes: {
    signOut,
    signOutEverywhere,
    chooseDefault: chooseDefaultOrganisation,
    resolve: resolveSession,
    listRevocations: listAuthRevocations,
  },
  handlers: SessionsService,
  imports: [UsersModule],
  exports: [SessionsService],
});

export const signInFeature = feature({
  routes: { signIn },
  handlers: SignInService,
  imports: [UsersModule, TriesModule, sessionsFeature],
});
