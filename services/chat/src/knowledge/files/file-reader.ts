import { Injectable, type OnModuleInit } from '@nestjs/common';
import { mostFilePassages } from '@parley/contracts/prompt-budget';
import type { DocumentProgress } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job as named, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import {
  isRead,
  progressOf,
  Readers,
  readStored,
  StorageQuota,
  unfinished,
  type By,
  type Outcome,
} from '../documents/index.ts';
import { textBytesOf } from '../retrieval/index.ts';
import { tokensOf } from '../../assistants/models/index.ts';
import type { FileRow } from './file.collection.ts';
import { FilePassages } from './file-passages.ts';
import { blobKey, isImage, pagesOf, wholeText } from './file.ts';
import { FilesRepository, type End } from './files.repository.ts';
import { ImageReader } from './images/image-reader.ts';
import { recordFile } from './files.service.ts';

const reading = named('reads files of chats');
const job = jobScope('reading files of chats');

/** Reads files of chats by the same readers and turns as documents, and keeps their passages apart from the index. */
@Injectable()
export class FileReader implements OnModuleInit {
  constructor(
    private readonly files: FilesRepository,
    private readonly passages: FilePassages,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    private readonly readers: Readers,
    private readonly images: ImageReader,
  ) {}

  onModuleInit(): void {
    const read = (row: FileRow, by: By) => this.read(row, by);
    this.readers.add('files', { rows: this.files, actor: reading, record: recordFile, read });
  }

  private async read(row: FileRow, by: By): Promise<void> {
    const scope = job.in(row.orgId);
    const end = isImage(row) ? await this.images.read(scope, row, by) : await this.text(row, by);
    const isFinished = await this.work.run(reading, async (tx) => {
      const updated = end && (await this.files.finish(scope, row, end, tx));
      if (updated) recordFile(tx, updated);
      return updated !== null;
    });
    if (!isFinished && isImage(row)) await this.images.dropIfErased(scope, row);
  }

  /** Returns null if another process took over the file, or somebody erased it, meanwhile. */
  private async text(row: FileRow, by: By): Promise<End | null> {
    const outcome = await this.passagesOf(row, by);
    if (!isRead(outcome)) return unfinished(outcome);
    const scope = job.in(row.orgId);
    if (!(await this.files.isHeld(scope, row))) return null;
    const tell = this.telling(row, 'indexing');
    await this.passages.replace(scope, { fileId: row._id, passages: outcome.passages }, (done, of) => {
      by.stopping.throwIfAborted();
      tell(done, of);
    });
    const { passages } = outcome;
    return {
      status: 'ready',
      failure: null,
      tokens: tokensOf(wholeText(passages)),
      pages: pagesOf(passages),
      passageCount: passages.length,
      textBytes: textBytesOf(passages),
    };
  }

  private async passagesOf(row: FileRow, by: By): Promise<Outcome> {
    const onProgress = this.telling(row, 'reading');
    const { quickReadMs } = this.settings;
    const content = await this.blobs.get(blobKey(row));
    const outcome = await readStored(content, { mediaType: row.mediaType, ...by, quickReadMs, onProgress });
    if (!isRead(outcome)) return outcome;
    if (outcome.passages.length > mostFilePassages) return { failure: 'too-many-passages' };
    const more = textBytesOf(outcome.passages) - row.textBytes;
    const { usedBytes, quotaBytes } = await this.quota.read(job.in(row.orgId));
    return more > 0 && usedBytes + more > quotaBytes ? { failure: 'over-quota' } : outcome;
  }

  private telling(row: FileRow, stage: DocumentProgress['stage']): (done: number, of: number) => void {
    return progressOf(stage, (progress) => {
      this.files
        .setProgress(job.in(row.orgId), row, progress)
        .catch((error: unknown) => this.platform.logger.warn({ err: error }, 'progress of a file was not kept'));
    });
  }
}
