import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { ChatSettings } from '../../chat.config.ts';
import { EmbeddingModels } from '../../assistants/models/index.ts';
import { EmbeddingStep } from './embedding-step.ts';
import { EmbeddingsRepository } from './embeddings.repository.ts';

/** A step of an organisation is one batch at most: so it is one batch a second. */
const sweepMs = 1_000;
/** Organisations whose step one process makes at the same time. */
const mostSteps = 4;
const jobs = jobScope('passages get their vectors');

/** Gives passages their vectors where a provider embeds, a batch at a time; takes them away where none does any more. */
@Injectable()
export class PassageEmbedder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Map<OrgId, Promise<unknown>>();
  /** Have their row. */
  private readonly begun = new Set<OrgId>();
  private readonly ending = new AbortController();
  private sweeping: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly embeddings: EmbeddingsRepository,
    private readonly models: EmbeddingModels,
    private readonly step: EmbeddingStep,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.embeddings.releaseAll(jobs);
    this.timer = setInterval(() => this.wake(), sweepMs);
  }

  /** What is being asked is written down as far as it is known, and asked again by the next worker. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.ending.abort();
    await this.sweeping;
    await Promise.all(this.running.values());
  }

  private wake(): void {
    this.sweeping ??= this.sweep()
      .catch((error: unknown) =>
        this.platform.logger.warn({ err: error }, 'looking for passages without vectors failed'),
      )
      .finally(() => {
        this.sweeping = null;
      });
  }

  private async sweep(): Promise<void> {
    const now = this.clock.now();
    for (const orgId of await this.models.organisations(jobs)) {
      if (this.begun.has(orgId)) continue;
      await this.embeddings.begin(jobs.in(orgId), now);
      this.begun.add(orgId);
    }
    for (const orgId of await this.embeddings.listDue(jobs, now)) {
      if (this.ending.signal.aborted || this.running.size >= mostSteps) return;
      if (!this.running.has(orgId)) this.start(orgId);
    }
  }

  private start(orgId: OrgId): void {
    const ended = this.step
      .run(jobs.in(orgId), this.ending.signal)
      .catch((error: unknown) => this.platform.logger.error({ orgId, err: error }, 'passages got no vectors'))
      .finally(() => this.running.delete(orgId));
    this.running.set(orgId, ended);
  }
}
