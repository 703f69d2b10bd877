import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { MessagesRepository } from '../../../conversations/index.ts';
import { ApartQuestions, type ApartKeeper } from './apart-questions.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';

const purgeEveryMs = 600_000;
const scope = jobScope('what was asked apart from all chats is removed');

/** Deletes the text of old trials and completions. Keeps their usage, so that it can be counted again. */
@Injectable()
export class ApartPurge {
  readonly upkeep = every('removes old questions', purgeEveryMs, (signal) => this.purge(signal));

  constructor(
    private readonly apart: ApartQuestions,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async purge(signal?: AbortSignal): Promise<void> {
    await this.purgeOf(this.apart.of('trial'), signal);
    await this.purgeOf(this.apart.of('completion'), signal);
  }

  /** Deletes all questions of a kind that are older than `keepMs`, in batches. */
  private async purgeOf<Id>(keeper: ApartKeeper<Id>, signal?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - keeper.keepMs);
    while (!signal?.aborted) {
      const old = await keeper.listBefore(scope, before);
      if (old.length === 0) return;
      for (const { _id, conversationId, generationId } of old)
        await this.work.run(job('removes old questions'), async (tx) => {
          await this.messages.deleteAll(scope, conversationId, tx);
          await this.generations.forgetText(scope, [generationId], tx);
          await keeper.delete(scope, _id, tx);
        });
    }
  }
}
