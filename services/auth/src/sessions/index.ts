import {
  chooseDefaultOrganisation,
  confirmSession,
  endOtherSession,
  endOtherSessions,
  getConfirmation,
  listAuthRevocations,
  listSessions,
  resolveSession,
  signIn,
  signOut,
  signOutEverywhere,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { securityLogFeature } from '../security-log/index.ts';
import { UsersModule } from '../users/index.ts';
import { ConfirmationService } from './confirmation.service.ts';
import { OwnSessionsService } from './own-sessions.service.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';

export { longerKeptSessions } from './longer-kept.ts';
export { browserOf, type Browser } from './session.ts';
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
  imports: [UsersModule, securityLogFeature],
  exports: [SessionsService],
});

export const signInFeature = feature({
  routes: { signIn },
  handlers: SignInService,
  imports: [UsersModule, securityLogFeature, sessionsFeature],
});

/** Entering the password once more, for what is sensitive. */
export const confirmationFeature = feature({
  routes: { read: getConfirmation, confirm: confirmSession },
  handlers: ConfirmationService,
  imports: [UsersModule, securityLogFeature],
});

export const ownSessionsFeature = feature({
  routes: { list: listSessions, endOne: endOtherSession, endOthers: endOtherSessions },
  handlers: OwnSessionsService,
  imports: [sessionsFeature],
});
