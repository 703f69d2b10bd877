import { Injectable } from '@nestjs/common';
import type { Citation, ConversationId, GenerationId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { AnswerEnd } from './answer-end.ts';
import { generationRows, type Attempt, type Generation, type GenerationRow } from './generation.collection.ts';
import { isGivenBack } from './generation.ts';
import { withWholeText } from './whole-text.ts';

export type Lease = { readonly holder: string; readonly until: Date };
/** The state of an attempt, for its checkpoint. */
export type Progress = {
  readonly id: GenerationId;
  readonly epoch: number;
  readonly text: string;
  readonly textEpoch: number;
  readonly citations: readonly Citation[];
  readonly firstTokenAt: Date | null;
  /** Missing until the attempt has asked its model. */
  readonly sent?: NonNullable<Generation['sent']>;
};
/**
 * A checkpoint to store: the whole text, or the piece after the `from` characters that are stored. Without `citations`
 * the stored ones stay.
 */
export type Checkpoint =
  | Progress
  | (Omit<Progress, 'text' | 'citations'> & {
      readonly from: number;
      readonly piece: string;
      readonly citations?: readonly Citation[];
    });
type Held = Pick<Progress, 'id' | 'epoch'>;
export type FallbackModel = Pick<Generation, 'modelKey' | 'modelLabel' | 'upstream'>;
type FallBack = {
  readonly held: Generation;
  readonly model: FallbackModel;
  readonly fellBackFrom: NonNullable<Generation['fellBackFrom']>;
  readonly ended: Attempt;
};
export type Kept = Pick<Generation, 'stopRequested'>;
type Waiting = {
  readonly leaseEndedBefore: Date;
  /** Leaves out organisations of a flow (a share of capacity) that has all the slots it can have. */
  readonly ofOrganisations: { readonly $in: readonly OrgId[] } | { readonly $nin: readonly OrgId[] };
  /** Leaves out persons who have all the slots they can have. */
  readonly exceptBy: readonly UserId[];
  readonly limit: number;
};
type Claim = {
  readonly seen: Generation;
  readonly lease: Lease;
  /** The attempt of a dead worker, which the claim ends; null: the answer had none. */
  readonly ended: Attempt | null;
  /** The text that people saw, if it is longer than the stored text. */
  readonly shown?: Pick<Generation, 'text' | 'textEpoch'>;
  readonly now: Date;
};
const unfinished = ['queued', 'running'] as const;
const mostEndedAtOnce = 100;

@Injectable()
export class GenerationsRepository {
  private readonly rows: Rows<typeof generationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(generationRows);
  }

  create(scope: OrganisationScope, generation: Generation, tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).later.insertMany([generation]);
  }

  createMany(scope: OrganisationScope, generations: readonly Generation[], tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).insertMany(generations);
  }

  async find(scope: OrganisationScope, conversationId: ConversationId, id: GenerationId): Promise<Generation | null> {
    return whole(await this.rows.within(scope).findOne({ _id: id, conversationId }));
  }

  /** Finds a generation in any conversation. */
  async findAny(scope: OrganisationScope, id: GenerationId, tx: Transaction): Promise<Generation | null> {
    return whole(await this.rows.within(scope, tx).findById(id));
  }

  async findMany(scope: OrganisationScope, ids: readonly GenerationId[]): Promise<Generation[]> {
    if (ids.length === 0) return [];
    return (await this.rows.within(scope).find({ _id: { $in: ids } })).map(withWholeText);
  }

  /**
   * Returns true if any answer is queued or running. A process that runs alone caches this until it writes generations.
   */
  hasUnfinished(scope: PlatformScope): Promise<boolean> {
    return this.rows.recall(scope, 'unfinished', (rows) => rows.exists({ status: { $in: unfinished } }));
  }

  /**
   * Lists unfinished answers that may need a worker: running ones whose lease ended before `leaseEndedBefore`, then
   * queued ones; each oldest first.
   */
  async listWaiting(
    scope: PlatformScope,
    { leaseEndedBefore, ofOrganisations, exceptBy, limit }: Waiting,
  ): Promise<Generation[]> {
    const rows = this.rows.within(scope);
    const oldest = { sort: { queuedAt: 1 }, limit } as const;
    const others = { orgId: ofOrganisations, userId: { $nin: exceptBy } };
    const running = await rows.find({ status: 'running', leaseUntil: { $lt: leaseEndedBefore }, ...others }, oldest);
    const queued = await rows.find({ status: 'queued', ...others }, oldest);
    return [...running, ...queued].map(withWholeText);
  }

  /**
   * Returns the oldest queued answer of the next person, in the order of organisations and persons, after the person of
   * `last`; null after the last person.
   */
  async nextWaiting(scope: PlatformScope, last: Generation | null): Promise<Generation | null> {
    const rows = this.rows.within(scope);
    const sort = { orgId: 1, userId: 1, queuedAt: 1 } as const;
    const queued = { status: 'queued' } as const;
    if (!last) return rows.findOne(queued, { sort });
    const { orgId, userId } = last;
    const colleague = await rows.findOne({ ...queued, orgId, userId: { $gt: userId } }, { sort });
    return colleague ?? rows.findOne({ ...queued, orgId: { $gt: orgId } }, { sort });
  }

  countQueued(scope: PlatformScope): Promise<number> {
    return this.rows.within(scope).count({ status: 'queued' });
  }

  /** Claims an answer by compare-and-set on status and epoch: exactly one of several workers gets it. */
  async claim(
    scope: PlatformScope,
    { seen, lease, ended, shown, now }: Claim,
    tx?: Transaction,
  ): Promise<Generation | null> {
    const { _id, status, epoch } = seen;
    const start = { status: 'running', leaseHolder: lease.holder, leaseUntil: lease.until, startedAt: now } as const;
    const again = status === 'running' ? { resumedAt: now, firstTokenAt: null } : {};
    const attempts = ended ? { attempts: [...attemptsOf(seen), ended] } : {};
    const claimed = await this.rows
      .within(scope, tx)
      .change(
        { _id, status, epoch },
        {
          $set: { ...start, ...again, ...attempts, ...(shown && { ...shown, pieces: [] }) },
          $inc: { epoch: 1, handOvers: isGivenBack(seen) ? 1 : 0 },
        },
      );
    return whole(claimed);
  }

  /**
   * Ends the attempt that this worker holds, and begins the next under the same lease, on another model; null if the
   * lease was lost.
   */
  async fallBack(
    scope: PlatformScope,
    { held, model, fellBackFrom, ended }: FallBack,
    tx: Transaction,
  ): Promise<Generation | null> {
    const set = { ...model, fellBackFrom, fallback: null, attempts: [...attemptsOf(held), ended], startedAt: ended.at };
    const next = await this.rows
      .within(scope, tx)
      .change(
        { _id: held._id, epoch: held.epoch, status: 'running' },
        { $set: { ...set, firstTokenAt: null }, $inc: { epoch: 1, handOvers: 1 } },
      );
    return whole(next);
  }

  /**
   * Stores the texts of checkpoints. Ignores attempts that have ended or were taken over, and pieces that arrive twice
   * or late.
   */
  async keep(scope: PlatformScope, checkpoints: readonly Checkpoint[]): Promise<void> {
    await this.rows.within(scope).updateEach(checkpoints.map(changeOf));
  }

  /**
   * Stores what the model of an attempt was given, without waiting for the attempt's first checkpoint. Does nothing if
   * the attempt has ended or was taken over.
   */
  async keepSent(scope: PlatformScope, { id, epoch }: Held, sent: NonNullable<Generation['sent']>): Promise<void> {
    await this.rows.within(scope).update({ _id: id, epoch, status: 'running' }, { $set: { sent } });
  }

  /**
   * Renews leases, or gives them back (`lease` is null), in a separate write that waits for no text. Returns the
   * answers that this worker still holds; answers that another worker has taken over stay unchanged.
   */
  async renew(scope: PlatformScope, held: readonly Held[], lease: Lease | null): Promise<Map<GenerationId, Kept>> {
    if (held.length === 0) return new Map();
    const rows = this.rows.within(scope);
    const set = { leaseHolder: lease?.holder ?? null, leaseUntil: lease?.until ?? new Date(0) };
    await rows.updateEach(
      held.map(({ id, epoch }) => ({ filter: { _id: id, epoch, status: 'running' }, change: { $set: set } })),
    );
    const ids = held.map(({ id }) => id);
    const kept = await rows.find({ _id: { $in: ids }, status: 'running' }, { fields: ['epoch', 'stopRequested'] });
    const epochs = new Map(held.map(({ id, epoch }) => [id, epoch]));
    return new Map(kept.filter(({ _id, epoch }) => epochs.get(_id) === epoch).map((row) => [row._id, row]));
  }

  /** Returns some of the answers that wait for a slot although their stop was requested. */
  listStopRequestedQueued(scope: PlatformScope): Promise<Generation[]> {
    return this.rows.within(scope).find({ status: 'queued', stopRequested: true }, { limit: mostEndedAtOnce });
  }

  /** Returns those of the given answers whose stop was requested. */
  async listStopRequested(scope: PlatformScope, ids: readonly GenerationId[]): Promise<GenerationId[]> {
    const rows = await this.rows.within(scope).find({ _id: { $in: ids }, stopRequested: true }, { fields: ['_id'] });
    return rows.map(({ _id }) => _id);
  }

  /** Requests a stop; returns false if it was requested before, or the answer has ended. */
  requestStop(scope: OrganisationScope, id: GenerationId, tx?: Transaction): Promise<boolean> {
    return this.rows
      .within(scope, tx)
      .update({ _id: id, status: { $in: unfinished }, stopRequested: false }, { $set: { stopRequested: true } });
  }

  /**
   * Deletes the text of answers, and what their models were given. Usage and ids stay, so that nothing is billed twice.
   */
  async forgetText(scope: PlatformScope, ids: readonly GenerationId[], tx: Transaction): Promise<void> {
    const words = {
      text: '',
      pieces: [],
      thoughts: null,
      citations: [],
      found: [],
      continued: null,
      failureDetail: null,
      sent: null,
    };
    await this.rows.within(scope, tx).updateMany({ _id: { $in: ids } }, { $set: words });
  }

  /**
   * Ends the attempt that this worker holds, under its epoch, or a queued answer (epoch 0); returns null if another
   * worker was faster.
   */
  finish(
    scope: PlatformScope,
    { held, end, attempt }: { held: Generation; end: AnswerEnd; attempt: Attempt },
    tx: Transaction,
  ): Promise<Generation | null> {
    const { citations, found, ...ended } = end;
    const set = {
      ...ended,
      citations: [...citations],
      found: found && [...found],
      attempts: [...attemptsOf(held), attempt],
      textEpoch: held.epoch,
      pieces: [],
      finishedAt: attempt.at,
      leaseHolder: null,
      leaseUntil: null,
    };
    return this.rows
      .within(scope, tx)
      .change({ _id: held._id, epoch: held.epoch, status: { $in: unfinished } }, { $set: set });
  }
}

const whole = (row: GenerationRow | null): Generation | null => row && withWholeText(row);

function changeOf({ id, epoch, textEpoch, citations, ...checkpoint }: Checkpoint) {
  const { firstTokenAt, sent } = checkpoint;
  const written = { _id: id, status: 'running', epoch } as const;
  const rest = { firstTokenAt, sent, ...(citations && { citations: [...citations] }) };
  if ('text' in checkpoint) {
    const { text } = checkpoint;
    const kept = { text, textEpoch, pieces: [], keptEpoch: textEpoch, keptLength: text.length };
    return { filter: written, change: { $set: { ...kept, ...rest } } };
  }
  const { from, piece } = checkpoint;
  return {
    filter: { ...written, keptEpoch: textEpoch, keptLength: from },
    change: { $set: { keptLength: from + piece.length, ...rest }, ...(piece !== '' && { $push: { pieces: piece } }) },
  };
}

/** Returns no attempts for rows of earlier versions, which stored none. */
const attemptsOf = ({ attempts }: Pick<Generation, 'attempts'>): Attempt[] => attempts ?? [];
