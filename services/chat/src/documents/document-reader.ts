import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { Shares } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Sweep } from '@parley/platform/sweep';
import { job as named, Work } from '@parley/platform/work';
import { Platform } from '@parley/platform/service';
import { stockLimits, type DocumentProgress, type UnreadAttachment } from '@parley/contracts';
import { ChatSettings } from '../chat.config.ts';
import { connectionOf } from '../connections/index.ts';
import { RetrievalIndex, textBytesOf, type Passage } from '../retrieval/index.ts';
import type { DocumentRow } from './document.collection.ts';
import { blobKey } from './document.ts';
import { DocumentsRepository } from './documents.repository.ts';
import { DocumentsService, documentsWaiting } from './documents.service.ts';
import { ReadingTurns, type ReadingTurn } from './reading-turns.ts';
import { WaitingDocuments } from './waiting-documents.ts';
import { readDocument } from './reader/reader.ts';

const readerTimeoutMs = 60_000;
const leaseMs = 120_000;
const sweepMs = 5_000;
const tellEveryMs = 1_000;
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
const mostPassages = stockLimits.passages.ceiling;
/** A document of more passages takes long to index. */
const mostQuickPassages = 2_000;
/** `takes-long`: it waits for the turn of those that do. `left`: this process stops. Both are read from the start then. */
type Outcome =
  | 'takes-long'
  | 'left'
  | { readonly passages: Passage[]; readonly unread?: readonly UnreadAttachment[] }
  | { readonly failure: NonNullable<DocumentRow['failure']> };
type Ended = Parameters<DocumentsRepository['finish']>[2];
const reading = named('reads documents');
const job = jobScope('reading uploaded documents');

/**
 * Reads stored documents by turns (ADR 0031), each in a process of its own, and hands their passages to the retrieval
 * index.
 */
@Injectable()
export class DocumentReader implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new ReadingTurns();
  private readonly waiting: WaitingDocuments;
  private stopListening = () => {};
  private readonly sweep = new Sweep({
    run: () => this.look(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.error({ err }, 'looking for documents failed'),
  });

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly documentsService: DocumentsService,
    private readonly retrieval: RetrievalIndex,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    shares: Shares,
  ) {
    this.waiting = new WaitingDocuments({ documents, shares, turns: this.turns.all });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.documents.releaseAll(job);
    this.stopListening = this.platform.doorbell.on(documentsWaiting, () => this.sweep.wake());
    this.sweep.start();
  }

  /** What is being read is left to the next process. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    await this.sweep.stop();
    await Promise.all(this.running);
  }

  /** Begins what has its turn, as far as there are readers. */
  private async look(): Promise<void> {
    if (this.turns.all.free <= 0) return;
    for (const seen of await this.waiting.inOrder(this.clock.now())) {
      const takesLong = seen.takesLong === true;
      const turn = this.stopping.signal.aborted ? null : this.turns.begin(this.waiting.turnOf(seen), { takesLong });
      if (!turn) continue;
      const until = new Date(this.clock.now().getTime() + leaseMs);
      const row = await this.documents.claim(job.in(seen.orgId), seen, until).catch((error: unknown) => {
        turn.end();
        throw error;
      });
      if (row) this.start(row, turn);
      else turn.end();
    }
  }

  private start(row: DocumentRow, turn: ReadingTurn): void {
    const reading = this.announce(row)
      .then(() => this.read(row, turn))
      .catch((error: unknown) => this.platform.logger.error({ err: error }, 'reading a document failed'))
      .finally(() => {
        turn.end();
        this.running.delete(reading);
        this.sweep.wake();
      });
    this.running.add(reading);
  }

  private async read(row: DocumentRow, turn: ReadingTurn): Promise<void> {
    const scope = job.in(row.orgId);
    const end = this.endOf(row, await this.outcomeOf(row, turn));
    const finished = await this.work.run(reading, async (tx) => {
      const updated = await this.documents.finish(scope, row, end, tx);
      if (updated) this.documentsService.record(tx, updated);
      return updated;
    });
    if (finished?.isDeleted) await this.retrieval.setHidden(scope, row._id, true);
  }

  private async outcomeOf(row: DocumentRow, turn: ReadingTurn): Promise<Outcome> {
    if (attemptsOf(row) > mostEndedProcesses) return { failure: 'reader-stopped' };
    try {
      const outcome = await this.passagesOf(row, turn);
      // Replaced or taken over meanwhile: what was read is old.
      if (!(await this.documents.isHeld(job.in(row.orgId), row))) return { failure: 'internal' };
      if (typeof outcome !== 'string' && 'passages' in outcome) await this.index(row, outcome.passages);
      return outcome;
    } catch (error) {
      if (this.stopping.signal.aborted) return 'left';
      this.platform.logger.error({ documentId: row._id, err: error }, 'reading a document failed');
      return { failure: 'internal' };
    }
  }

  private async index(row: DocumentRow, passages: readonly Passage[]): Promise<void> {
    const document = { id: row._id, name: row.name, connectionId: connectionOf(row), asOf: row.asOf ?? row.createdAt };
    const tell = this.telling(row, 'indexing');
    await this.retrieval.replace(job.in(row.orgId), document, passages, (done, of) => {
      this.stopping.signal.throwIfAborted();
      tell(done, of);
    });
  }

  private endOf(row: DocumentRow, outcome: Outcome): Ended {
    // It is no attempt: nothing went wrong.
    const again = { status: 'stored', failure: null, attempts: attemptsOf(row) - 1 } as const;
    if (outcome === 'left') return again;
    if (outcome === 'takes-long') return { ...again, takesLong: true };
    if ('passages' in outcome) {
      const { passages, unread = [] } = outcome;
      const counts = { passageCount: passages.length, textBytes: textBytesOf(passages) };
      return {
        status: 'searchable',
        failure: null,
        unreadAttachments: [...unread],
        ...counts,
        indexedAt: this.clock.now(),
      };
    }
    const { failure } = outcome;
    const mayPass = failure === 'reader-stopped' || failure === 'internal';
    return mayPass && attemptsOf(row) < mostAttempts
      ? { status: 'stored', failure: null }
      : { status: 'failed', failure };
  }

  private async passagesOf(row: DocumentRow, turn: ReadingTurn): Promise<Outcome> {
    const content = await this.blobs.get(blobKey(row));
    if (!content) return { failure: 'internal' };
    const breakOff = new AbortController();
    const timer = setTimeout(() => turn.takeLong() || breakOff.abort(), this.settings.quickReadMs);
    const onProgress = this.telling(row, 'reading');
    const signal = AbortSignal.any([breakOff.signal, this.stopping.signal]);
    const options = { mediaType: row.mediaType, timeoutMs: readerTimeoutMs, signal, onProgress };
    const answer = await readDocument(content, options).finally(() => clearTimeout(timer));
    if (this.stopping.signal.aborted) return 'left';
    if (breakOff.signal.aborted) return 'takes-long';
    if (!('passages' in answer)) return answer;
    if (answer.passages.length > mostQuickPassages && !turn.takeLong()) return 'takes-long';
    const scope = job.in(row.orgId);
    // Those that it has go when the new ones are there.
    const own = await this.retrieval.countOf(scope, row._id);
    const others = (await this.retrieval.count(scope, mostPassages + own)) - own;
    if (others + answer.passages.length > mostPassages) return { failure: 'too-many-passages' };
    const more = textBytesOf(answer.passages) - (row.textBytes ?? 0);
    const { usedBytes, quotaBytes } = await this.documentsService.storage(scope);
    return more > 0 && usedBytes + more > quotaBytes ? { failure: 'over-quota' } : answer;
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
}

const attemptsOf = ({ attempts }: DocumentRow): number => attempts ?? 0;
