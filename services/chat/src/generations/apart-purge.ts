import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ConversationId, GenerationId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../chat.config.ts';
import { TrialsRepository } from '../chatbots/index.ts';
import { MessagesRepository } from '../conversations/index.ts';
import { CompletionsRepository } from './completions.repository.ts';
import { GenerationsRepository } from './generations.repository.ts';

const purgeEveryMs = 600_000;
/** So long is a trial kept with its answer. */
export const keepTrialsMs = 7 * 24 * 3_600_000;
/** Longer than any answer is written. */
export const keepCompletionsMs = 25 * 3_600_000;
const scope = jobScope('what was asked apart from all chats is removed');

type Asked<Id> = { readonly _id: Id; readonly conversationId: ConversationId; readonly generationId: GenerationId };
type Kept<Id> = {
  listBefore(scope: PlatformScope, before: Date): Promise<Asked<Id>[]>;
  delete(scope: PlatformScope, id: Id, tx: Transaction): Promise<void>;
};

/** Removes what old trials and completions said; what they used stays, so that it can be counted again. */
@Injectable()
export class ApartPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep = new Sweep({
    run: () => this.purge(),
    everyMs: purgeEveryMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'removing old questions failed; trying again'),
  });

  constructor(
    private readonly trials: TrialsRepository,
    private readonly completions: CompletionsRepository,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.sweep.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }

  async purge(): Promise<void> {
    await this.purgeOf(this.trials, keepTrialsMs);
    await this.purgeOf(this.completions, keepCompletionsMs);
  }

  /** All that are old enough, some at a time. */
  private async purgeOf<Id>(kept: Kept<Id>, keepMs: number): Promise<void> {
    const before = new Date(this.clock.now().getTime() - keepMs);
    for (;;) {
      const old = await kept.listBefore(scope, before);
      if (old.length === 0) return;
      for (const { _id, conversationId, generationId } of old)
        await this.work.run(job('removes old questions'), async (tx) => {
          await this.messages.deleteAll(scope, conversationId, tx);
          await this.generations.forgetText(scope, [generationId], tx);
          await kept.delete(scope, _id, tx);
        });
    }
  }
}
