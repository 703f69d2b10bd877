import { Controller } from '@nestjs/common';
import { getMe, updateMe, type Me } from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { ProfileService } from './profile.service.ts';

@Controller()
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  @Route(getMe)
  read(@Input() { scope, principal }: InputOf<typeof getMe>): Promise<Me> {
    return this.profile.read(scope, principal.sessionKey);
  }

  @Route(updateMe)
  update(@Input() { scope, principal, body }: InputOf<typeof updateMe>): Promise<Me> {
    return this.profile.update(scope, principal.sessionKey, body);
  }
}
