import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { Doorbell } from '@parley/platform/doorbell';
import { jobScope } from '@parley/platform/mongo';
import { job as named, Work } from '@parley/platform/work';
import { Platform } from '@parley/platform/service';
import type { DocumentProgress, UnreadAttachment } from '@parley/contracts';
import { ChatSettings } from '../chat.config.ts';
import { connectionOf } from '../connections/index.ts';
import { RetrievalIndex, type Passage } from '../retrieval/index.ts';
import type { DocumentRow } from './document.collection.ts';
import { blobKey } from './document.ts';
import { DocumentsRepository } from './documents.repository.ts';
import { DocumentsService, documentsWaiting } from './documents.service.ts';
import { readDocument } from './reader/reader.ts';

const readerTimeoutMs = 60_000;
const leaseMs = 120_000;
const sweepMs = 5_000;
const tellEveryMs = 1_000;
const purgeEveryMs = 3_600_000;
const keepDeletedMs = 7 * 24 * 3_600_000;
/**
 * A document whose reader ends twice has failed; what a reader finds wrong, or what takes it too long or too much memory,
 * is final at once.
 */
const mostAttempts = 2;
/**
 * So many whole processes may end beside a document: it hardly ends them, for it is read in a limited process of its own,
 * but an update or a machine that is full may.
 */
const mostEndedProcesses = 5;
/** Passages an organisation may hold; beyond it an engine outside is the answer. */
const mostPassages = 100_000;
type Outcome =
  | { readonly passages: Passage[]; readonly unread?: readonly UnreadAttachment[] }
  | { readonly failure: NonNullable<DocumentRow['failure']> };
type Ended = Parameters<DocumentsRepository['finish']>[2];
const reading = named('reads documents');
const job = jobScope('reading uploaded documents');

/**
 * Reads stored documents one after the other, each in a process of its own, and hands their passages to the retrieval
 * index.
 */
@Injectable()
export class DocumentReader implements OnApplicationBootstrap, OnApplicationShutdown {
  private isStopped = false;
  private isBusy: Promise<void> | null = null;
  private timers: NodeJS.Timeout[] = [];
  private stopListening = () => {};

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly documentsService: DocumentsService,
    private readonly retrieval: RetrievalIndex,
    private readonly blobs: Blobs,
    private readonly doorbell: Doorbell,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.documents.releaseAll(job);
    this.stopListening = this.doorbell.on(documentsWaiting, () => this.wake());
    this.timers = [setInterval(() => this.wake(), sweepMs), setInterval(() => this.startPurge(), purgeEveryMs)];
    this.wake();
    this.startPurge();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.stopListening();
    for (const timer of this.timers) clearInterval(timer);
    await this.isBusy;
  }

  private wake(): void {
    this.isBusy ??= this.readAll()
      .catch((error: unknown) => this.platform.logger.error({ err: error }, 'reading documents failed'))
      .finally(() => {
        this.isBusy = null;
      });
  }

  private async readAll(): Promise<void> {
    while (!this.isStopped) {
      const now = this.clock.now();
      const row = await this.documents.claim(job, { now, until: new Date(now.getTime() + leaseMs) });
      if (!row) return;
      await this.announce(row);
      await this.read(row);
    }
  }

  private async read(row: DocumentRow): Promise<void> {
    const scope = job.in(row.orgId);
    const end = this.endOf(row, await this.outcomeOf(row));
    const finished = await this.work.run(reading, async (tx) => {
      const updated = await this.documents.finish(scope, row, end, tx);
      if (updated) this.documentsService.record(tx, updated);
      return updated;
    });
    if (finished?.isDeleted) await this.retrieval.setHidden(scope, row._id, true);
  }

  private async outcomeOf(row: DocumentRow): Promise<Outcome> {
    if (attemptsOf(row) > mostEndedProcesses) return { failure: 'reader-stopped' };
    try {
      const outcome = await this.passagesOf(row);
      // Replaced or taken over meanwhile: what was read is old.
      if (!(await this.documents.isHeld(job.in(row.orgId), row))) return { failure: 'internal' };
      if ('passages' in outcome)
        await this.retrieval.replace(
          job.in(row.orgId),
          { id: row._id, name: row.name, connectionId: connectionOf(row), asOf: row.asOf ?? row.createdAt },
          outcome.passages,
          this.telling(row, 'indexing'),
        );
      return outcome;
    } catch (error) {
      this.platform.logger.error({ documentId: row._id, err: error }, 'reading a document failed');
      return { failure: 'internal' };
    }
  }

  private endOf(row: DocumentRow, outcome: Outcome): Ended {
    if ('passages' in outcome) {
      const passageCount = outcome.passages.length;
      const unreadAttachments = [...(outcome.unread ?? [])];
      return { status: 'searchable', failure: null, unreadAttachments, passageCount, indexedAt: this.clock.now() };
    }
    const { failure } = outcome;
    const mayPass = failure === 'reader-stopped' || failure === 'internal';
    return mayPass && attemptsOf(row) < mostAttempts
      ? { status: 'stored', failure: null }
      : { status: 'failed', failure };
  }

  private async passagesOf(row: DocumentRow): Promise<Outcome> {
    const content = await this.blobs.get(blobKey(row));
    if (!content) return { failure: 'internal' };
    const onProgress = this.telling(row, 'reading');
    const options = { mediaType: row.mediaType, timeoutMs: readerTimeoutMs, onProgress };
    const answer = await readDocument(content, options);
    if (!('passages' in answer)) return answer;
    const scope = job.in(row.orgId);
    // Those that it has go when the new ones are there.
    const own = await this.retrieval.countOf(scope, row._id);
    const others = (await this.retrieval.count(scope, mostPassages + own)) - own;
    return others + answer.passages.length > mostPassages ? { failure: 'too-many-passages' } : answer;
  }

  /** Written down once a second at most; whoever looks at the list reads it again as often. */
  private telling(row: DocumentRow, stage: DocumentProgress['stage']): (done: number, of: number) => void {
    let toldAt = 0;
    return (done, of) => {
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      this.documents
        .setProgress(job.in(row.orgId), row, { stage, done, of })
        .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'progress of a document was not kept'));
    };
  }

  private async announce(row: DocumentRow): Promise<void> {
    await this.work.run(reading, async (tx) => this.documentsService.record(tx, row));
  }

  /** What it does not get done now, for a store that is away, it does in an hour. */
  private startPurge(): void {
    this.purge().catch((error: unknown) =>
      this.platform.logger.warn({ err: error }, 'removing deleted documents failed; trying again later'),
    );
  }

  private async purge(): Promise<void> {
    const old = await this.documents.listDeletedBefore(job, new Date(this.clock.now().getTime() - keepDeletedMs));
    for (const row of old) {
      await this.retrieval.remove(job, row._id);
      await this.blobs.delete(blobKey(row));
      await this.documents.purge(job, row._id);
    }
  }
}

const attemptsOf = ({ attempts }: DocumentRow): number => attempts ?? 0;
