import { Controller, Res } from '@nestjs/common';
import {
  chooseDefaultOrganisation,
  listAuthRevocations,
  resolveSession,
  sessionHeader,
  signIn,
  signOut,
  signOutEverywhere,
  type Me,
  type ResponseOf,
} from '@parley/contracts';
import { RevocationLog } from '@parley/platform/revocations';
import { Input, Route, type InputOf } from '@parley/platform/service';
import type { Response } from 'express';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIns: SignInService,
    private readonly revocations: RevocationLog,
  ) {}

  @Route(signIn)
  async signIn(@Input() { body }: InputOf<typeof signIn>, @Res({ passthrough: true }) response: Response): Promise<Me> {
    const { me, sessionId } = await this.signIns.signIn(body);
    response.setHeader(sessionHeader, sessionId);
    return me;
  }

  @Route(signOut)
  async signOut(@Input() { scope, principal }: InputOf<typeof signOut>): Promise<void> {
    await this.sessions.end(scope, principal);
  }

  @Route(signOutEverywhere)
  async signOutEverywhere(@Input() { scope, principal }: InputOf<typeof signOutEverywhere>): Promise<void> {
    await this.sessions.endAll(scope, principal);
  }

  @Route(chooseDefaultOrganisation)
  async chooseDefault(@Input() { scope, principal, body }: InputOf<typeof chooseDefaultOrganisation>): Promise<void> {
    await this.sessions.chooseDefaultOrganisation(scope, principal.sessionKey, body.orgId);
  }

  @Route(resolveSession)
  resolve(@Input() { body }: InputOf<typeof resolveSession>): Promise<ResponseOf<typeof resolveSession>> {
    return this.sessions.resolve(body.sessionId);
  }

  @Route(listAuthRevocations)
  listRevocations(
    @Input() { query }: InputOf<typeof listAuthRevocations>,
  ): Promise<ResponseOf<typeof listAuthRevocations>> {
    return this.revocations.list(query.after);
  }
}
