import { Injectable } from '@nestjs/common';
import type { Citation, ConversationId, GenerationId, Usage, GenerationFailure } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { generationSchema, type GenerationRow } from './generation.schema.ts';
import { isGivenBack, type FinalStatus, type Generation } from './generation.ts';

export type Lease = { readonly holder: string; readonly until: Date };
type Held = { readonly id: GenerationId; readonly epoch: number };
/** What a checkpoint writes of an attempt. */
export type Progress = Held & {
  readonly text: string;
  readonly textEpoch: number;
  readonly citations: readonly Citation[];
  readonly firstTokenAt: Date | null;
  readonly lease: Lease | null;
};
export type Kept = Pick<Generation, 'stopRequested'>;
const unfinished = ['queued', 'running'] as const;

@Injectable()
export class GenerationsRepository {
  private readonly generations: Model<GenerationRow>;

  constructor(mongo: Mongo) {
    this.generations = mongo.model('Generation', generationSchema);
  }

  async create(_scope: OrganisationScope, generation: Generation, tx: Transaction): Promise<void> {
    await this.generations.insertMany([generation], { session: tx.session, lean: true });
  }

  async find(scope: OrganisationScope, conversationId: ConversationId, id: GenerationId): Promise<Generation | null> {
    return this.generations.findOne({ _id: id, orgId: scope.orgId, conversationId }).lean();
  }

  async findMany(scope: OrganisationScope, ids: readonly GenerationId[]): Promise<Generation[]> {
    return ids.length === 0 ? [] : this.generations.find({ _id: { $in: [...ids] }, orgId: scope.orgId }).lean();
  }

  async findById(_scope: PlatformScope, id: GenerationId): Promise<Generation | null> {
    return this.generations.findById(id).lean();
  }

  /**
   * Unfinished ones that may wait for a worker: queued before the moment, or running under a lease that ended before
   * the other; oldest first.
   */
  async listWaiting(
    _scope: PlatformScope,
    situation: { queuedBefore: Date; leaseEndedBefore: Date; limit: number },
  ): Promise<Generation[]> {
    const { queuedBefore, leaseEndedBefore, limit } = situation;
    const running = await this.generations
      .find({ status: 'running', leaseUntil: { $lt: leaseEndedBefore } })
      .sort({ queuedAt: 1 })
      .limit(limit)
      .lean();
    const queued = await this.generations
      .find({ status: 'queued', queuedAt: { $lt: queuedBefore } })
      .sort({ queuedAt: 1 })
      .limit(limit)
      .lean();
    return [...running, ...queued];
  }

  async countQueued(_scope: PlatformScope): Promise<number> {
    return this.generations.countDocuments({ status: 'queued' });
  }

  /** Compare-and-set on status and epoch: of several workers exactly one gets it. */
  async claim(
    _scope: PlatformScope,
    seen: Pick<Generation, '_id' | 'status' | 'epoch' | 'leaseHolder'>,
    lease: Lease,
    tx?: Transaction,
  ): Promise<Generation | null> {
    const filter = { _id: seen._id, status: seen.status, epoch: seen.epoch };
    const counts = isGivenBack(seen) ? { epoch: 1, handOvers: 1 } : { epoch: 1 };
    return this.generations
      .findOneAndUpdate(
        filter,
        { $set: this.claimed(seen, lease), $inc: counts },
        { returnDocument: 'after', session: tx?.session ?? null },
      )
      .lean();
  }

  /**
   * Keeps texts and renews leases, or gives them back (null); those whose lease was lost are not in the answer, and
   * nothing of them is written.
   */
  async keep(_scope: PlatformScope, progress: readonly Progress[]): Promise<Map<GenerationId, Kept>> {
    if (progress.length === 0) return new Map();
    const writes = progress.map(({ id, epoch, citations, lease, ...set }) => ({
      updateOne: {
        filter: { _id: id, status: 'running' as const, epoch },
        update: {
          $set: {
            ...set,
            citations: [...citations],
            leaseHolder: lease?.holder ?? null,
            leaseUntil: lease?.until ?? new Date(0),
          },
        },
      },
    }));
    await this.generations.bulkWrite(writes, { ordered: false });
    const held = await this.generations
      .find({ _id: { $in: progress.map(({ id }) => id) }, status: 'running' }, { epoch: 1, stopRequested: 1 })
      .lean();
    const epochs = new Map(progress.map(({ id, epoch }) => [id, epoch]));
    return new Map(held.filter(({ _id, epoch }) => epochs.get(_id) === epoch).map((row) => [row._id, row]));
  }

  /** Which of these somebody wants stopped. */
  async listStopRequested(_scope: PlatformScope, ids: readonly GenerationId[]): Promise<GenerationId[]> {
    return (await this.generations.find({ _id: { $in: [...ids] }, stopRequested: true }, { _id: 1 }).lean()).map(
      (row) => row._id,
    );
  }

  async requestStop(scope: OrganisationScope, id: GenerationId): Promise<void> {
    await this.generations.updateOne(
      { _id: id, orgId: scope.orgId, status: { $in: [...unfinished] } },
      { $set: { stopRequested: true } },
    );
  }

  /** Ends the attempt that is held under this epoch, or a queued one (epoch 0); null when somebody else did. */
  async finish(
    _scope: OrganisationScope | PlatformScope,
    held: Held,
    end: {
      status: FinalStatus;
      text: string;
      citations: readonly Citation[];
      usage: Usage | null;
      failure: GenerationFailure | null;
      failureDetail: string | null;
      firstTokenAt: Date | null;
      now: Date;
    },
    tx: Transaction,
  ): Promise<Generation | null> {
    const { now, citations, ...rest } = end;
    const set = {
      ...rest,
      citations: [...citations],
      textEpoch: held.epoch,
      finishedAt: now,
      leaseHolder: null,
      leaseUntil: null,
    };
    const filter = { _id: held.id, epoch: held.epoch, status: { $in: [...unfinished] } };
    return this.generations
      .findOneAndUpdate(filter, { $set: set }, { returnDocument: 'after', session: tx.session })
      .lean();
  }

  private claimed(seen: Pick<Generation, 'status'>, lease: Lease): Partial<GenerationRow> {
    const now = new Date();
    const start = { status: 'running' as const, leaseHolder: lease.holder, leaseUntil: lease.until, startedAt: now };
    return seen.status === 'running' ? { ...start, resumedAt: now, firstTokenAt: null } : start;
  }
}
