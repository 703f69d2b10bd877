import { Injectable } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Readable } from 'node:stream';
import { ChatSettings } from '../../../chat.config.ts';
import { readInTurn, StorageQuota, unfinished, type By } from '../../documents/index.ts';
import type { FileRow } from '../file.collection.ts';
import { blobKey, seenKey } from '../file.ts';
import { FilesRepository, type End } from '../files.repository.ts';
import { decodeImage, mostImageBytes } from './image-decoder.ts';

const decoderTimeoutMs = 30_000;

/** Decodes an uploaded image once and keeps it as models see it, beside the file, which stays for download. */
@Injectable()
export class ImageReader {
  constructor(
    private readonly files: FilesRepository,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly settings: ChatSettings,
  ) {}

  /** Returns null if another process took over the file, or somebody erased it, meanwhile. */
  async read(scope: OrganisationScope, row: FileRow, by: By): Promise<End | null> {
    const { quickReadMs } = this.settings;
    const seen = await readInTurn(await this.blobs.get(blobKey(row)), { ...by, quickReadMs }, (content, signal) =>
      decodeImage(content, { timeoutMs: decoderTimeoutMs, signal }),
    );
    if (typeof seen === 'string' || 'failure' in seen) return unfinished(seen);
    const { jpeg, width, height } = seen;
    const { usedBytes, quotaBytes } = await this.quota.read(scope);
    if (usedBytes + jpeg.length - row.textBytes > quotaBytes) return unfinished({ failure: 'over-quota' });
    if (!(await this.files.isHeld(scope, row))) return null;
    await this.blobs.put(seenKey(row), Readable.from([jpeg]), { maxBytes: mostImageBytes });
    return { status: 'ready', failure: null, image: { width, height }, textBytes: jpeg.length };
  }

  /** Of a file that was erased between the last look and the end of its reading nothing stays. */
  async dropIfErased(scope: OrganisationScope, row: FileRow): Promise<void> {
    if (!(await this.files.find(scope, row._id))) await this.blobs.delete(seenKey(row));
  }
}
