import { Injectable } from '@nestjs/common';
import { openExport, type ByteSource, type OpenedExport } from '@parley/chat-exports';
import { Blobs } from '@parley/platform/blobs';
import { giveWay } from '@parley/platform/give-way';
import { importKey } from './import.ts';
import type { ImportRow } from './import.collection.ts';

/** The upload is not there any more. */
export class UploadGone extends Error {
  override readonly name = 'UploadGone';
}

/** Opens uploads. */
@Injectable()
export class ExportReader {
  constructor(private readonly blobs: Blobs) {}

  /** Rejects with `UnreadableExport` or `UploadGone`. */
  open(row: ImportRow, signal: AbortSignal): Promise<OpenedExport> {
    return openExport(this.sources(row), { giveWay, signal });
  }

  protected sources(row: ImportRow): ByteSource[] {
    return row.files.map(({ name, bytes: size }, index) => ({
      name,
      size,
      read: async (start: number, end: number) => {
        const content = await this.blobs.getRange(importKey(row, index + 1), start, end);
        if (!content) throw new UploadGone();
        return content;
      },
    }));
  }
}
