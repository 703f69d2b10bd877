import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../chat.config.ts';
import { Uploads } from './uploads.ts';

const tidyMs = 10_000;
const jobs = jobScope('chats are imported');

/** Deletes uploads of imports that have ended or are too old. */
@Injectable()
export class ImportUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tidying = new Sweep({
    run: () => this.uploads.tidy(jobs),
    everyMs: tidyMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'deleting uploads of chats failed; trying again'),
  });

  constructor(
    private readonly uploads: Uploads,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.tidying.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.tidying.stop();
  }
}
