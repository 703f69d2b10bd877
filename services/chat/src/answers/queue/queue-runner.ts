import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Doorbell } from '@parley/platform/doorbell';
import { FairQueue, FairTurns, Flows, type Waiting } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../chat.config.ts';
import { QueueMarks, type StoredConversation } from '../../conversations/index.ts';
import { queueReady } from '../generations/index.ts';
import { QueueStarter } from './queue-starter.ts';

const sweepMs = 1_000;
const mostSeen = 100;
/** Conversations of one pass: whoever rings meanwhile has a turn in the next. */
export const startsPerPass = 20;
const everywhere = jobScope('starts what waits in chats');

/**
 * Starts what waits in conversations where nothing is written any more: when it is rung for, and each second whatever a
 * process left that was ended in between.
 */
@Injectable()
export class QueueRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private isStopped = false;
  private stopListening = () => {};
  private readonly sweep = new Sweep({
    run: () => this.startAll(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'queues of chats were not looked at; trying again'),
  });
  private readonly turns = new FairTurns(1);
  private readonly ready: FairQueue<StoredConversation>;

  constructor(
    private readonly marks: QueueMarks,
    private readonly starter: QueueStarter,
    private readonly doorbell: Doorbell,
    private readonly settings: ChatSettings,
    private readonly flows: Flows,
    private readonly platform: Platform,
  ) {
    const next = (last: StoredConversation | null) => marks.nextReady(everywhere, last);
    this.ready = new FairQueue({ turns: this.turns, waitingOf: (one) => this.waitingOf(one), next });
  }

  onApplicationBootstrap(): void {
    if (this.settings.workers === 0) return;
    this.sweep.start();
    this.stopListening = this.doorbell.on(queueReady, () => this.sweep.wake());
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.stopListening();
    await this.sweep.stop();
  }

  /** The next question of some conversations, by turns (ADR 0031). */
  async startAll(): Promise<void> {
    const ready = await this.ready.inOrder(await this.marks.listReady(everywhere, mostSeen), mostSeen);
    let hasStarted = false;
    for (const conversation of ready.slice(0, startsPerPass)) {
      if (this.isStopped) return;
      hasStarted = (await this.startNext(conversation)) || hasStarted;
    }
    if (hasStarted && ready.length > startsPerPass) this.sweep.wake();
  }

  private async startNext(conversation: StoredConversation): Promise<boolean> {
    const release = this.turns.begin(this.waitingOf(conversation));
    try {
      return (await this.starter.startNext(conversation)) === 'started';
    } catch (err) {
      const { _id: conversationId } = conversation;
      this.platform.logger.warn({ err, conversationId }, 'what waits in a chat was not started; trying again');
      return false;
    } finally {
      release?.();
    }
  }

  private waitingOf({ orgId, ownerId, lastActivityAt }: StoredConversation): Waiting {
    return { flow: this.flows.of(orgId), person: ownerId, arrivedAt: lastActivityAt };
  }
}
