import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../chat.config.ts';
import { TrialsRepository } from '../chatbots/index.ts';
import { MessagesRepository } from '../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';

const purgeEveryMs = 3_600_000;
/** So long is a trial kept with its answer. */
export const keepTrialsMs = 7 * 24 * 3_600_000;
const scope = jobScope('old trials are removed');

/** Removes what old trials said; what they used stays, so that it can be counted again. */
@Injectable()
export class TrialsPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly trials: TrialsRepository,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.workers === 0) return;
    this.timer = setInterval(() => this.start(), purgeEveryMs);
    this.start();
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  async purge(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - keepTrialsMs);
    for (const { _id, conversationId, generationId } of await this.trials.listBefore(scope, before))
      await this.work.run(job('removes old trials'), async (tx) => {
        await this.messages.deleteAll(scope, conversationId, tx);
        await this.generations.forgetText(scope, generationId, tx);
        await this.trials.delete(scope, _id, tx);
      });
  }

  /** What it does not get done now it does in an hour. */
  private start(): void {
    this.purge().catch((error: unknown) => this.platform.logger.warn({ err: error }, 'removing old trials failed'));
  }
}
