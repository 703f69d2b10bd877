import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Problem, type UserId } from '@parley/contracts';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Founders } from './founders.ts';
import { MembershipsRepository } from './memberships.repository.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';
import { People } from './people.ts';

const looking = jobScope('who created organisations of earlier versions');
const acting = job('notes who created an organisation');
const lookEveryMs = 60_000;
const soonMs = 5_000;
const atOnce = 100;

/**
 * Notes of organisations that earlier versions have made whether a platform admin created them, and publishes whose
 * share they use. Idempotent; goes on where it was, and comes back, since an older process may run beside this one.
 */
@Injectable()
export class FounderUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly organisations: Rows<typeof organisationRows>;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly people: People,
    private readonly founders: Founders,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  onApplicationBootstrap(): void {
    void this.keepUp();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Looks at all that nobody has looked at. */
  async noteAll(): Promise<void> {
    for (;;) {
      const rows = await this.organisations.within(looking).find({ isByPlatform: null }, { limit: atOnce });
      for (const row of rows) if (!this.isStopped) await this.note(row);
      if (rows.length < atOnce || this.isStopped) return;
    }
  }

  private async keepUp(): Promise<void> {
    const waitMs = await this.noteAll().then(
      () => lookEveryMs,
      (error: unknown) => {
        this.platform.logger.warn({ err: error }, 'who created organisations is asked for again');
        return soonMs;
      },
    );
    if (!this.isStopped) this.timer = setTimeout(() => void this.keepUp(), waitMs).unref();
  }

  private async note({ _id: orgId, createdBy }: OrganisationRow): Promise<void> {
    const scope = looking.in(orgId);
    const isByPlatform = await this.isPlatformAdmin(createdBy);
    await this.work.run(acting, async (tx) => {
      const { rightsVersion } = await this.memberships.organisation(scope, tx);
      const creator = await this.memberships.find(scope, createdBy, tx);
      const founder = !isByPlatform && creator?.role === 'owner' ? createdBy : null;
      const noted = await this.organisations
        .within(scope, tx)
        .change(
          { _id: orgId, rightsVersion, isByPlatform: null },
          { $set: { isByPlatform, founder }, $inc: { rightsVersion: 1 } },
        );
      if (noted) this.founders.tellOfNew(tx, noted);
    });
  }

  private async isPlatformAdmin(userId: UserId): Promise<boolean> {
    const person = await this.people.find(userId).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'platform.not-found') return null;
      throw error;
    });
    if (person && person.isPlatformAdmin === undefined) throw new Error('Auth is of an earlier version.');
    return person?.isPlatformAdmin ?? false;
  }
}
