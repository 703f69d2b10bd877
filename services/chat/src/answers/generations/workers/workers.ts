import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Flows } from '@parley/platform/fair-turns';
import { jobScope, Mongo } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Reservations } from '../../../assistants/budgets/index.ts';
import { ChatSettings } from '../../../chat.config.ts';
import { FinishAnswer } from '../writing/finish-answer.ts';
import { GenerationQueue, questionsWaiting, stopsWanted } from '../asking/generation-queue.ts';
import { GenerationWorker } from './generation-worker.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';
import { PrepareAnswer } from '../asking/prepare-answer.ts';
import { SignsOfLife } from './signs-of-life.ts';
import { ProcessTime } from '../writing/process-time.ts';

/** Billing ends a reservation 15 s after its last renewal, so renewals come earlier. */
const renewEveryMs = 5_000;
const scope = jobScope('how many questions wait, over all organisations');

/** Starts and stops this process's workers. */
@Injectable()
export class Workers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private workers: GenerationWorker[] = [];
  private stopListening: (() => void)[] = [];
  private readonly signs: SignsOfLife;
  private readonly time = new ProcessTime();

  constructor(
    private readonly platform: Platform,
    private readonly mongo: Mongo,
    private readonly settings: ChatSettings,
    private readonly generations: GenerationsRepository,
    private readonly prepare: PrepareAnswer,
    private readonly finish: FinishAnswer,
    private readonly reservations: Reservations,
    private readonly queue: GenerationQueue,
    private readonly flows: Flows,
  ) {
    this.signs = new SignsOfLife({ kv: platform.kv });
  }

  onApplicationBootstrap(): void {
    const { platform, mongo, settings, generations, prepare, finish, reservations, flows, signs, time } = this;
    const own = { reservations, flows, signs, time, firstWords: this.queue.firstWords };
    const parts = { platform, mongo, settings, generations, prepare, finish, ...own };
    this.workers = Array.from({ length: settings.workers }, (_unused, number) => new GenerationWorker(parts, number));
    // Only other processes read the signs: a process that runs alone needs none.
    if (this.workers.length > 0 && !platform.isAlone) signs.start();
    for (const worker of this.workers) {
      worker.start();
      this.stopListening.push(
        this.queue.addWorker((wish) => worker.reserve(wish)),
        platform.doorbell.on(stopsWanted, () => this.applyStops(worker)),
        platform.doorbell.on(questionsWaiting, () => void worker.lookForQuestions()),
      );
    }
    platform.metrics.gauge('parley_generation_queued', { service: 'chat' }, () => generations.countQueued(scope));
    platform.metrics.gauge('parley_generation_active', { service: 'chat' }, () =>
      this.workers.reduce((sum, worker) => sum + worker.activeCount, 0),
    );
    const renewing = setInterval(() => void this.renew(), renewEveryMs);
    this.stopListening.push(() => clearInterval(renewing));
  }

  /**
   * Renews the budget reservations of all running answers in one call. Each call also repeats renewals that billing
   * missed.
   */
  private async renew(): Promise<void> {
    await this.reservations.renew(this.workers.flatMap(({ reserved }) => reserved)).catch(() => undefined);
  }

  /** Reads and applies requested stops; if they can't be read now, the next renewal reads them. */
  private applyStops(worker: GenerationWorker): void {
    worker
      .applyStops()
      .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'wanted stops were not read'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.stopListening) stop();
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.signs.stop();
  }
}
