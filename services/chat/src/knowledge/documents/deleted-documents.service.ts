import { Injectable } from '@nestjs/common';
import type { DeletedDocument, eraseDocument as eraseNow, listDeletedDocuments } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { setTimeout as wait } from 'node:timers/promises';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { eraseDocument, erasingOf } from './document-jobs.ts';
import { DocumentEraser } from './document-eraser.ts';
import type { DocumentRow } from './rows/document.collection.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { DocumentsService } from './documents.service.ts';

/** So long somebody waits for a large document; the job erases what is left of it. */
const patienceMs = 5_000;

/** Documents that were deleted: listed, and erased at once. */
@Injectable()
export class DeletedDocumentsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly service: DocumentsService,
    private readonly eraser: DocumentEraser,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  list({ scope, query }: InputOf<typeof listDeletedDocuments>): Promise<ResponseOf<typeof listDeletedDocuments>> {
    return this.documents.listDeleted(scope, { query, to: toDeleted });
  }

  async erase({ scope, principal, params }: InputOf<typeof eraseNow>): Promise<void> {
    const id = params.documentId;
    const begun = await this.work.run(principal, async (tx) => {
      const row = await this.documents.beginErasing(scope, id, tx);
      if (!row) return null;
      tx.queue(eraseDocument, erasingOf(row));
      this.service.record(tx, row);
      await this.service.recordAct(tx, { scope, principal, row, change: 'erased' });
      return row;
    });
    if (!begun) throw refusalOf(await this.documents.find(scope, id, { withDeleted: true }));
    // A reader that holds it would index more: the job waits for its end.
    if (begun.status === 'reading' && begun.leaseUntil && begun.leaseUntil > this.clock.now()) return;
    const erasing = this.eraser.erase(begun).catch((error: unknown) => {
      this.platform.logger.warn({ err: error, documentId: id }, 'erasing a document failed; the job tries again');
    });
    await Promise.race([erasing, wait(patienceMs, undefined, { ref: false })]);
  }
}

function toDeleted({ _id: id, name, bytes, deletedAt, createdAt, address }: DocumentRow): DeletedDocument {
  const at = deletedAt ?? createdAt;
  return {
    id,
    name,
    bytes,
    isOfSource: (address ?? null) !== null,
    deletedAt: at.toISOString(),
    eraseAt: new Date(at.getTime() + keepDeletedMs).toISOString(),
  };
}

/** Of one whose erasing cannot begin: once it has begun, the document is gone. */
function refusalOf(row: DocumentRow | null): Problem {
  if (!row || row.isErasing) return new Problem('chat.document-not-found');
  return new Problem('platform.conflict', { detail: 'Delete the document first.' });
}
