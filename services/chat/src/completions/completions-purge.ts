import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../chat.config.ts';
import { MessagesRepository } from '../conversations/index.ts';
import { CompletionsRepository, GenerationsRepository } from '../generations/index.ts';

const purgeEveryMs = 600_000;
/** Longer than any answer is written. */
export const keepCompletionsMs = 25 * 3_600_000;
const scope = jobScope('what programs have asked is removed');

/** Removes what programs have asked and been answered; what it used stays, so that it can be counted again. */
@Injectable()
export class CompletionsPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly completions: CompletionsRepository,
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

  /** All that are old enough, some at a time. */
  async purge(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - keepCompletionsMs);
    for (;;) {
      const old = await this.completions.listBefore(scope, before);
      if (old.length === 0) return;
      for (const { _id, conversationId, generationId } of old)
        await this.work.run(job('removes old completions'), async (tx) => {
          await this.messages.deleteAll(scope, conversationId, tx);
          await this.generations.forgetText(scope, generationId, tx);
          await this.completions.delete(scope, _id, tx);
        });
    }
  }

  /** What it does not get done now it does later. */
  private start(): void {
    this.purge().catch((error: unknown) =>
      this.platform.logger.warn({ err: error }, 'removing old completions failed'),
    );
  }
}
