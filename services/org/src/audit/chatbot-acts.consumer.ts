import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { chatbotChanged, chatbotGateChanged, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Chatbots are chat's: what was published or deleted is written down here once chat has told it; drafts are not. */
@Controller()
export class ChatbotActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(chatbotChanged.type, { consumer: 'audit-chatbot' })
  async write(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof chatbotChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { chatbotId: id, by, change, name, version, note } = data;
    if (change === 'draft') return;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: change === 'published' ? 'chatbot.published' : 'chatbot.deleted',
      target: { id, name },
      ...(change === 'published' && { after: { version } }),
      ...(note !== '' && { reason: note }),
      at: new Date(time),
    });
  }

  @EventPattern<string>(chatbotGateChanged.type, { consumer: 'audit-chatbot-gate' })
  async writeGate(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof chatbotGateChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { chatbotId: id, by, name, before, least } = data;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: 'chatbot.gate-changed',
      target: { id, name },
      before: { testsToPass: before },
      after: { testsToPass: least },
      at: new Date(time),
    });
  }
}
