import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { jobScope, Mongo, type Rows } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Problem, type UserId } from '@parley/protocol';
import { MembershipsRepository } from './memberships.repository.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';
import { OrganisationFlows } from './organisation-flows.ts';
import { People, type KnownPerson } from './people.ts';
import { forGood, ownFlow, flowOf } from './flow.ts';

const looking = jobScope('who created organisations of earlier versions, and whose flow they use');
const acting = job('notes whose flow an organisation uses');
const lookEveryMs = 60_000;
const atOnce = 100;
const ofNobody = { invitedBy: null, sameNetworkAs: null };

/**
 * Notes whether a platform admin created the organisations of earlier versions, and whose flow they use. Ends flows that
 * count for a day. Publishes both. Idempotent; looks again each minute, since an older process may run beside this one.
 */
@Injectable()
export class FounderUpkeep {
  readonly upkeep = every('notes whose flow organisations use', lookEveryMs, (signal) => this.noteAll(signal));
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly people: People,
    private readonly flows: OrganisationFlows,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  /** Looks at all that nobody has looked at, and at all whose flow has ended. */
  async noteAll(signal?: AbortSignal): Promise<void> {
    const rows = this.organisations.within(looking);
    const each = async (
      read: () => Promise<OrganisationRow[]>,
      act: (row: OrganisationRow) => Promise<void>,
    ): Promise<void> => {
      for (let isMore = true; isMore && !signal?.aborted;) {
        const some = await read();
        for (const row of some) if (!signal?.aborted) await act(row);
        isMore = some.length === atOnce;
      }
    };
    await each(
      () => rows.find({ flow: null }, { limit: atOnce }),
      (row) => this.note(row),
    );
    await each(
      () => rows.find({ flowUntil: { $lte: this.clock.now() } }, { limit: atOnce }),
      (row) => this.endFlow(row),
    );
  }

  private async note({ _id: orgId, createdBy, isByPlatform: known }: OrganisationRow): Promise<void> {
    const scope = looking.in(orgId);
    const person = await this.creator(createdBy);
    const isByPlatform = known ?? person?.isPlatformAdmin ?? false;
    const flow = isByPlatform ? ownFlow(orgId) : await this.flows.ofOrigin(createdBy, person ?? ofNobody);
    if (flow === null) throw new Error('Auth is of an earlier version.');
    await this.work.run(acting, async (tx) => {
      const before = await this.memberships.organisation(scope, tx);
      const creator = await this.memberships.find(scope, createdBy, tx);
      const owns = !isByPlatform && creator?.role === 'owner';
      const noted = await this.organisations
        .within(scope, tx)
        .change(
          { _id: orgId, rightsVersion: before.rightsVersion, flow: null },
          { $set: { isByPlatform, founder: owns ? createdBy : null, ...flow }, $inc: { rightsVersion: 1 } },
        );
      if (noted) this.flows.publish(tx, noted, flowOf(before));
    });
  }

  private async endFlow({ _id: orgId, flowUntil, flowAfter }: OrganisationRow): Promise<void> {
    const scope = looking.in(orgId);
    await this.work.run(acting, async (tx) => {
      const before = await this.memberships.organisation(scope, tx);
      const ended = await this.organisations
        .within(scope, tx)
        .change(
          { _id: orgId, rightsVersion: before.rightsVersion, flowUntil },
          { $set: forGood(flowAfter ?? orgId), $inc: { rightsVersion: 1 } },
        );
      if (ended) this.flows.publish(tx, ended, flowOf(before));
    });
  }

  /** Null where there is no account any more. */
  private async creator(userId: UserId): Promise<KnownPerson | null> {
    const person = await this.people.find(userId).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'platform.not-found') return null;
      throw error;
    });
    if (person && person.isPlatformAdmin === undefined) throw new Error('Auth is of an earlier version.');
    return person;
  }
}
