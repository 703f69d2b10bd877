import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { passwordChanged, recoveryRequested } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { derivedId } from '@parley/platform/ids';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { MailsService } from '../mails/index.ts';
import { UsersRepository } from '../users/index.ts';
import { recoveryRows } from './recovery.collection.ts';
import { linkMinutes, ResetLinks } from './reset-links.ts';

const recovering = jobScope('telling people about their passwords');

@Controller()
export class RecoveryConsumer {
  private readonly recoveries: Rows<typeof recoveryRows>;

  constructor(
    mongo: Mongo,
    private readonly users: UsersRepository,
    private readonly links: ResetLinks,
    private readonly mails: MailsService,
  ) {
    this.recoveries = mongo.rows(recoveryRows);
  }

  /** The first time that anybody looks whether there is such an account. */
  @EventPattern<string>(recoveryRequested.type, { consumer: 'send-reset-link' })
  async sendResetLink(
    @Payload() { id: eventId, data }: EventEnvelope<DataOf<typeof recoveryRequested>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const recoveries = this.recoveries.within(recovering, tx);
    const recovery = await recoveries.findById(data.recoveryId);
    if (!recovery) return;
    await recoveries.delete({ _id: recovery._id });
    const user = await this.users.findByEmail(recovering, recovery.email);
    if (!user || (await this.links.isJustMade(recovering.of(user.id)))) return;
    const endsAt = this.links.endOfNew(recovery.createdAt);
    const mailId = derivedId('mail', [eventId]);
    const token = await this.links.make(tx, recovering.of(user.id), { mailId, endsAt });
    await this.mails.queue(tx, {
      eventId,
      to: user.email,
      locale: user.locale,
      content: { kind: 'password-reset', minutes: linkMinutes },
      link: { token, endsAt },
    });
  }

  /** Whoever did not change it hears of it. */
  @EventPattern<string>(passwordChanged.type, { consumer: 'tell-of-password' })
  async tellOfPassword(
    @Payload() { id: eventId, time, data }: EventEnvelope<DataOf<typeof passwordChanged>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const user = await this.users.findById(recovering.of(data.userId));
    if (!user) return;
    const content = { kind: 'password-changed', at: new Date(time) } as const;
    await this.mails.queue(tx, { eventId, to: user.email, locale: user.locale, content });
  }
}
