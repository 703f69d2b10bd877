import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { unapprovedFlow, type flowChanged } from '@parley/contracts';
import type { DataOf, OrgId } from '@parley/protocol';
import { Clock } from '../../base/clock/index.ts';
import { every, type Upkeep } from '../../base/every/index.ts';
import {
  eachRow,
  jobScope,
  Mongo,
  type OrganisationScope,
  type Rows,
  type Transaction,
} from '../../rows/mongo/index.ts';
import type { FlowKey } from '../../jobs/fair-turns/index.ts';
import { Platform } from '../service/platform.ts';
import { flowRows } from './flow.collection.ts';

const job = jobScope('turns go by flow over all organisations');
/** Sets the time between two regular reads of the flows, which find changes if the doorbell's ring was lost. */
const lookEveryMs = 30_000;
/** Delays the read after the doorbell rings, because it rings before the transaction commits. */
const afterRingMs = 1_000;
/** Sets how far each read reaches back before the last: a copy is committed after its date, and clocks differ. */
const overlapMs = 30_000;
const mostAtOnce = 500;

/** Knows each organisation's flow (share of capacity): its own if it is approved, else the shared one (ADR 0053). */
@Injectable()
export class Flows implements OnModuleInit, OnModuleDestroy {
  private readonly rows: Rows<typeof flowRows>;
  private readonly known = new Map<OrgId, string>();
  private readAt: Date | null = null;
  private readonly looking: Upkeep;
  private readonly bell: string;
  private stopListening: () => void = () => undefined;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {
    this.rows = mongo.rows(flowRows);
    this.bell = `flows:${platform.deployable}`;
    this.looking = every('reads flows of organisations', lookEveryMs, () => this.look());
  }

  async onModuleInit(): Promise<void> {
    await this.look();
    this.stopListening = this.platform.doorbell.on(this.bell, () => this.looking.wake(afterRingMs));
    this.looking.start(this.platform.logger);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopListening();
    await this.looking.stop();
  }

  /** Returns the flow of an organisation: its own id if org says that it is approved, else `unapprovedFlow`. */
  of(orgId: OrgId): string {
    return this.known.get(orgId) === orgId ? orgId : unapprovedFlow;
  }

  /** Returns the key by which turns of this person in this organisation are counted. */
  keyOf(orgId: OrgId, person: string): FlowKey {
    return { flow: this.of(orgId), organisation: orgId, person };
  }

  /** Returns a filter for ids of organisations that belong to none of these flows. */
  except(flows: readonly string[]): { readonly $in: OrgId[] } | { readonly $nin: OrgId[] } {
    if (!flows.includes(unapprovedFlow)) return { $nin: flows as OrgId[] };
    return { $in: [...this.known.keys()].filter((orgId) => this.of(orgId) === orgId && !flows.includes(orgId)) };
  }

  /**
   * Stores the flow that org announces. Idempotent; an older copy never replaces a newer one. All processes know it a
   * second later.
   */
  async keep(
    scope: OrganisationScope,
    { flow, rightsVersion }: DataOf<typeof flowChanged>,
    tx: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const copy = { flow, rightsVersion, changedAt: this.clock.now() };
    const { isNew } = await rows.insertOnce({ _id: scope.orgId, ...copy });
    if (!isNew) await rows.update({ _id: scope.orgId, rightsVersion: { $lt: rightsVersion } }, { $set: copy });
    this.platform.doorbell.ring(this.bell);
  }

  /** Reads all copies the first time, then new ones. Never rejects: after a failure the next read gets them. */
  look(): Promise<void> {
    return this.read().catch((error: unknown) =>
      this.platform.logger.warn({ err: error }, 'flows of organisations were not read'),
    );
  }

  private async read(): Promise<void> {
    const now = this.clock.now();
    const rows = this.rows.within(job);
    const fresh = this.readAt && { changedAt: { $gte: new Date(this.readAt.getTime() - overlapMs) } };
    const some = fresh && (await rows.find(fresh, { limit: mostAtOnce }));
    // Many changed copies at once come from a republication: then reads all copies, in pages.
    if (some && some.length < mostAtOnce) for (const { _id, flow } of some) this.known.set(_id, flow);
    else for await (const { _id, flow } of eachRow(rows)) this.known.set(_id, flow);
    this.readAt = now;
  }
}
