import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { auditedDefinitions, topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { AuditAppender } from './audit-appender.ts';

/**
 * Under which names events were consumed by versions until 0.3.0. They are the ids of the inbox: what such a version has
 * appended, during an update too, is not appended again, and its parked events go on here.
 */
const earlierConsumers: Readonly<Record<string, string>> = {
  'apikey.created.v1': 'audit-key-created',
  'apikey.revoked.v1': 'audit-key-revoked',
  'session.created.v1': 'audit-signed-in',
  'mail.revealed.v1': 'audit-shown-link',
  'budget.changed.v1': 'audit-budget',
  'invoice.changed.v1': 'audit-invoice',
  'order.changed.v1': 'audit-order',
  'answer.curated.v1': 'audit-curated-answer',
  'chatbot.changed.v1': 'audit-chatbot',
  'chatbot.gate-changed.v1': 'audit-chatbot-gate',
  'connection.changed.v1': 'audit-connection',
  'feedback.changed.v1': 'audit-feedback',
  'generation.stop-requested.v1': 'audit-answer-stopped',
  'provider.configured.v1': 'audit-provider',
  'search.tested.v1': 'audit-search-tested',
  'letters.replayed.v1': 'audit-events-replayed',
  'name.revealed.v1': 'audit-name-revealed',
  'webhook.changed.v1': 'audit-webhook',
};

/** Each event is its own consumer: one that fails holds up no other kind of act. */
export const auditConsumers: ReadonlyMap<string, string> = new Map(
  auditedDefinitions
    .filter(({ topic }) => topic !== topics.org)
    .map(({ type }) => [type, earlierConsumers[type] ?? `audit-${type}`]),
);

/** Appends what other services' events declare. It consumes every event that has a rule; nothing is listed. */
@Controller()
export class AuditConsumer {
  constructor(private readonly appender: AuditAppender) {}

  async append(event: EventEnvelope, { tx }: EventContext): Promise<void> {
    await this.appender.append([event], tx);
  }
}

for (const [type, consumer] of auditConsumers) {
  const { prototype } = AuditConsumer;
  const method = {
    value(this: AuditConsumer, event: EventEnvelope, context: EventContext): Promise<void> {
      return this.append(event, context);
    },
    writable: true,
    configurable: true,
  };
  Object.defineProperty(prototype, consumer, method);
  EventPattern<string>(type, { consumer })(prototype, consumer, method);
  Payload()(prototype, consumer, 0);
  Ctx()(prototype, consumer, 1);
}
