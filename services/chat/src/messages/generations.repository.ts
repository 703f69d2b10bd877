import { Injectable } from '@nestjs/common';
import type { Citation, ConversationId, GenerationId, Usage, GenerationFailure } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { generationSchema, type GenerationRow } from './generation.schema.ts';
import type { FinalStatus, Generation } from './generation.ts';

export type Lease = { readonly holder: string; readonly until: Date };
const unfinished = ['queued', 'running'] as const;
type Held = { readonly id: GenerationId; readonly epoch: number };

@Injectable()
export class GenerationsRepository {
  private readonly generations: Model<GenerationRow>;

  constructor(mongo: Mongo) {
    this.generations = mongo.model('Generation', generationSchema);
  }

  async create(_scope: OrganisationScope, generation: Generation, tx: Transaction): Promise<void> {
    await this.generations.create([generation], { session: tx });
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

  /** Unfinished ones that may wait for a worker: queued before the moment, or running under a lease that ended before the other; oldest first. */
  async listWaiting(_scope: PlatformScope, situation: { queuedBefore: Date; leaseEndedBefore: Date; limit: number }): Promise<Generation[]> {
    const { queuedBefore, leaseEndedBefore, limit } = situation;
    const running = await this.generations.find({ status: 'running', leaseUntil: { $lt: leaseEndedBefore } }).sort({ queuedAt: 1 }).limit(limit).lean();
    const queued = await this.generations.find({ status: 'queued', queuedAt: { $lt: queuedBefore } }).sort({ queuedAt: 1 }).limit(limit).lean();
    return [...running, ...queued];
  }

  /** Compare-and-set on status and epoch: of several workers exactly one gets it. */
  async claim(_scope: PlatformScope, seen: Pick<Generation, '_id' | 'status' | 'epoch'>, lease: Lease, tx?: Transaction): Promise<Generation | null> {
    const filter = { _id: seen._id, status: seen.status, epoch: seen.epoch };
    return this.generations.findOneAndUpdate(filter, { $set: this.claimed(seen, lease), $inc: { epoch: 1 } }, { returnDocument: 'after', session: tx ?? null }).lean();
  }

  /** Keeps the text and renews the lease; null when the lease was lost. Tells whether a stop was asked for. */
  async checkpoint(_scope: PlatformScope, held: Held, progress: { text: string; textEpoch: number; citations: readonly Citation[]; firstTokenAt: Date | null; leaseUntil: Date }): Promise<Pick<Generation, 'stopRequested'> | null> {
    const set = { ...progress, citations: [...progress.citations] };
    const options = { returnDocument: 'after', projection: { stopRequested: 1 } } as const;
    return this.generations.findOneAndUpdate({ _id: held.id, status: 'running', epoch: held.epoch }, { $set: set }, options).lean();
  }

  /** Which of these somebody wants stopped. */
  async listStopRequested(_scope: PlatformScope, ids: readonly GenerationId[]): Promise<GenerationId[]> {
    return (await this.generations.find({ _id: { $in: [...ids] }, stopRequested: true }, { _id: 1 }).lean()).map((row) => row._id);
  }

  async requestStop(scope: OrganisationScope, id: GenerationId): Promise<void> {
    await this.generations.updateOne({ _id: id, orgId: scope.orgId, status: { $in: [...unfinished] } }, { $set: { stopRequested: true } });
  }

  /** Ends the attempt that is held under this epoch, or a queued one (epoch 0); null when somebody else did. */
  async finish(
    _scope: OrganisationScope | PlatformScope,
    held: Held,
    end: { status: FinalStatus; text: string; citations: readonly Citation[]; usage: Usage | null; failure: GenerationFailure | null; failureDetail: string | null; firstTokenAt: Date | null; now: Date },
    tx: Transaction,
  ): Promise<Generation | null> {
    const { now, citations, ...rest } = end;
    const set = { ...rest, citations: [...citations], textEpoch: held.epoch, finishedAt: now, leaseHolder: null, leaseUntil: null };
    const filter = { _id: held.id, epoch: held.epoch, status: { $in: [...unfinished] } };
    return this.generations.findOneAndUpdate(filter, { $set: set }, { returnDocument: 'after', session: tx }).lean();
  }

  private claimed(seen: Pick<Generation, 'status'>, lease: Lease): Partial<GenerationRow> {
    const now = new Date();
    const start = { status: 'running' as const, leaseHolder: lease.holder, leaseUntil: lease.until, startedAt: now };
    return seen.status === 'running' ? { ...start, resumedAt: now, firstTokenAt: null } : start;
  }
}
