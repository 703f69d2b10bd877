import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { mailRevealed, nameRevealed } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';
import { MailsService } from './mails.service.ts';

const telling = jobScope('telling people that a link or a name of theirs was shown');

@Controller()
export class MailsConsumer {
  constructor(
    private readonly mails: MailsService,
    private readonly users: UsersRepository,
  ) {}

  /** Whose link it is hears who has seen it, and why. */
  @EventPattern<string>(mailRevealed.type, { consumer: 'tell-of-shown-link' })
  async tellOfShownLink(
    @Payload() { id, data }: EventEnvelope<DataOf<typeof mailRevealed>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const shown = await this.mails.find(data.mailId);
    if (!shown) return;
    const admin = await this.users.findById(telling.of(data.revealedBy));
    const content = { kind: 'link-shown', by: admin?.name ?? 'Parley', reason: data.reason } as const;
    await this.mails.queue(tx, { eventId: id, to: shown.to, locale: shown.locale, content });
  }

  /** Whose name was asked for in user monitoring hears by whom, and why. */
  @EventPattern<string>(nameRevealed.type, { consumer: 'tell-of-revealed-name' })
  async tellOfRevealedName(
    @Payload() { id: eventId, data }: EventEnvelope<DataOf<typeof nameRevealed>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const person = await this.users.findById(telling.of(data.userId));
    if (!person) return;
    const asker = await this.users.findById(telling.of(data.by));
    const { organisation, reason } = data;
    const told = { by: asker?.name ?? 'Parley', organisation, reason, until: new Date(data.until) };
    const content = { kind: 'name-revealed', ...told } as const;
    await this.mails.queue(tx, { eventId, to: person.email, locale: person.locale, content });
  }
}
