import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { membershipRemoved, userUpdated } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';

const copying = jobScope('API keys keep a copy of their owner’s name');

@Controller()
export class ApiKeysConsumer {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Lists show people under their new name. */
  @EventPattern<string>(userUpdated.type, { consumer: 'rename-key-owner' })
  async renameOwner(
    @Payload() { data }: EventEnvelope<DataOf<typeof userUpdated>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const scope = copying.of(data.userId);
    const user = await this.users.findById(scope);
    if (user) await this.keys.renameOwner(scope, tx, user.name);
  }

  /** Without a membership a key opens nothing; ended for good, it does not come back with one either. */
  @EventPattern<string>(membershipRemoved.type, { consumer: 'end-keys-of-who-left' })
  async endKeys(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof membershipRemoved>>,
    @Ctx() { tx, scope }: EventContext,
  ): Promise<void> {
    for (const key of await this.keys.workingOf(scope, tx, { userId: data.userId, until: new Date(time) }))
      await this.keys.end(scope, tx, { key, by: null, reason: null });
  }
}
