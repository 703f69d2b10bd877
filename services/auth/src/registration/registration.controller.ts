import { Controller, Res } from '@nestjs/common';
import { getRegistration, register, sessionHeader, type Me, type RegistrationInfo } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import type { Response } from 'express';
import { AuthSettings } from '../auth.config.ts';
import { toMe } from '../users/index.ts';
import { RegistrationService } from './registration.service.ts';

@Controller()
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly settings: AuthSettings,
  ) {}

  @Route(getRegistration)
  info(): Promise<RegistrationInfo> {
    return this.registration.info();
  }

  @Route(register)
  async register(
    @Input() input: InputOf<typeof register>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Me> {
    const { user, session } = await this.registration.register(input.body);
    response.setHeader(sessionHeader, session.id);
    return toMe(user, { registration: this.settings.registration, defaultOrgId: null });
  }
}
