import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import { job as named, Work } from '@parley/platform/work';
import { Platform } from '@parley/platform/service';
import { quotaLimits, type DocumentProgress } from '@parley/contracts';
import { ChatSettings } from '../../../chat.config.ts';
import { connectionOf } from '../../connections/index.ts';
import { KeywordIndex, textBytesOf, type Passage } from '../../retrieval/index.ts';
import type { DocumentRow } from '../rows/document.collection.ts';
import { blobKey } from '../rows/document.ts';
import { DocumentsRepository } from '../rows/documents.repository.ts';
import { DocumentsService } from '../documents.service.ts';
import { Readers } from './readers.ts';
import { isRead, progressOf, readStored, unfinished, type By, type Outcome } from './reading.ts';

/** Passages an organisation may hold; beyond it an engine outside is the answer. */
const mostPassages = quotaLimits.passages.ceiling;
type Ended = Parameters<DocumentsRepository['finish']>[2];
const reading = named('reads documents');
const job = jobScope('reading uploaded documents');

/** Reads stored documents, each in a process of its own, and hands their passages to the retrieval index. */
@Injectable()
export class DocumentReader implements OnModuleInit {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly documentsService: DocumentsService,
    private readonly retrieval: KeywordIndex,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    private readonly readers: Readers,
  ) {}

  onModuleInit(): void {
    this.readers.add('documents', {
      rows: this.documents,
      actor: reading,
      record: (tx, row) => this.documentsService.record(tx, row),
      read: (row, by) => this.read(row, by),
    });
  }

  private async read(row: DocumentRow, by: By): Promise<void> {
    const scope = job.in(row.orgId);
    const outcome = await this.passagesOf(row, by);
    // Drops what was read if the document was replaced or another process took it over.
    if (!(await this.documents.isHeld(scope, row))) return;
    if (isRead(outcome)) await this.index(row, outcome.passages, by.stopping);
    const end = this.endOf(outcome);
    const finished = await this.work.run(reading, async (tx) => {
      const updated = await this.documents.finish(scope, row, end, tx);
      if (updated) this.documentsService.record(tx, updated);
      return updated;
    });
    if (finished?.isDeleted) await this.retrieval.setHidden(scope, row._id, true);
  }

  private async index(row: DocumentRow, passages: readonly Passage[], stopping: AbortSignal): Promise<void> {
    const document = { id: row._id, name: row.name, connectionId: connectionOf(row), asOf: row.asOf ?? row.createdAt };
    const tell = this.telling(row, 'indexing');
    await this.retrieval.replace(job.in(row.orgId), document, passages, (done, of) => {
      stopping.throwIfAborted();
      tell(done, of);
    });
  }

  private endOf(outcome: Outcome): Ended {
    if (!isRead(outcome)) return unfinished(outcome);
    const { passages, unread = [] } = outcome;
    return {
      status: 'searchable',
      failure: null,
      unreadAttachments: [...unread],
      passageCount: passages.length,
      textBytes: textBytesOf(passages),
      indexedAt: this.clock.now(),
    };
  }

  private async passagesOf(row: DocumentRow, by: By): Promise<Outcome> {
    const onProgress = this.telling(row, 'reading');
    const { quickReadMs } = this.settings;
    const content = await this.blobs.get(blobKey(row));
    const outcome = await readStored(content, { mediaType: row.mediaType, ...by, quickReadMs, onProgress });
    if (!isRead(outcome)) return outcome;
    const scope = job.in(row.orgId);
    // Those that it has go when the new ones are there.
    const own = await this.retrieval.countOf(scope, row._id);
    const others = (await this.retrieval.count(scope, mostPassages + own)) - own;
    if (others + outcome.passages.length > mostPassages) return { failure: 'too-many-passages' };
    const more = textBytesOf(outcome.passages) - (row.textBytes ?? 0);
    const { usedBytes, quotaBytes } = await this.documentsService.storage(scope);
    return more > 0 && usedBytes + more > quotaBytes ? { failure: 'over-quota' } : outcome;
  }

  private telling(row: DocumentRow, stage: DocumentProgress['stage']): (done: number, of: number) => void {
    return progressOf(stage, (progress) => {
      this.documents
        .setProgress(job.in(row.orgId), row, progress)
        .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'progress of a document was not kept'));
    });
  }
}
