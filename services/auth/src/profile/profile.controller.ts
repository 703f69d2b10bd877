import { Controller } from '@nestjs/common';
import { getMe, updateMe, type Me } from '@parley/contracts';
import { Input, Route, type PersonInput } from '@parley/platform/service';
import { ProfileService } from './profile.service.ts';

@Controller()
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  @Route(getMe)
  read(@Input() { scope, principal }: PersonInput<typeof getMe>): Promise<Me> {
    return this.profile.read(scope, principal.sessionKey);
  }

  @Route(updateMe)
  update(@Input() { scope, principal, body }: PersonInput<typeof updateMe>): Promise<Me> {
    return this.profile.update(scope, principal.sessionKey, body);
  }
}
