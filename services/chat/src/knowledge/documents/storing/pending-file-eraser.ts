import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { freeingSpace } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../../chat.config.ts';
import { StorageQuota } from './storage-quota.ts';

const sweepMs = 60_000;

/** Deletes files that no row has and whose process has died. */
@Injectable()
export class PendingFileEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep = new Sweep({
    run: () => freeingSpace(() => this.quota.deletePending()),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'deleting files that no row has failed; trying again'),
  });

  constructor(
    private readonly quota: StorageQuota,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sweep.stop();
  }
}
