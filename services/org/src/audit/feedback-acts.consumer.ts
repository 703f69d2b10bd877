import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { answerCurated, feedbackChanged, type AuditAct, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

type Change = DataOf<typeof feedbackChanged>['change'];
/** What is done with somebody's feedback; ratings themselves, notes and who has a case are not. */
const acts: Readonly<Partial<Record<Change, AuditAct>>> = {
  state: 'feedback.state-changed',
  answered: 'feedback.answered',
  read: 'feedback.messages-read',
};

/** Feedback and curated answers are chat's: what is done with them is written down here once chat has told it. */
@Controller()
export class FeedbackActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  /** The target is the case, under the name of whoever reported it. */
  @EventPattern<string>(feedbackChanged.type, { consumer: 'audit-feedback' })
  async writeFeedback(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof feedbackChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { feedbackId: id, change, by, userId, state, before } = data;
    const act = acts[change];
    if (!act) return;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act,
      target: { id, name: (await this.people.find(userId)).name },
      ...(change === 'state' && { before: { state: before ?? null }, after: { state } }),
      at: new Date(time),
    });
  }

  /** A curated answer goes by its id: what it says stays in chat. */
  @EventPattern<string>(answerCurated.type, { consumer: 'audit-curated-answer' })
  async writeCurated(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof answerCurated>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { curatedAnswerId: id, by, change } = data;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: `curated-answer.${change}`,
      target: { id, name: id },
      at: new Date(time),
    });
  }
}
