import { Injectable } from '@nestjs/common';
import { every } from '@parley/platform/every';
import { freeingSpace } from '@parley/platform/mongo';
import { StorageQuota } from './storage-quota.ts';

const everyMs = 60_000;

/** Deletes files that no row has and whose process has died. */
@Injectable()
export class PendingFileEraser {
  readonly upkeep = every('deletes files that no row has', everyMs, () =>
    freeingSpace(() => this.quota.deletePending()),
  );

  constructor(private readonly quota: StorageQuota) {}
}
