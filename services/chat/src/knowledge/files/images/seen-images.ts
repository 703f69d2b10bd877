import { Injectable } from '@nestjs/common';
import type { FileId } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import { buffer } from 'node:stream/consumers';
import { seenKey } from '../file.ts';
import { FilesRepository } from '../files.repository.ts';

/** An image as models see it. `bytes` is its size; `read` reads it, null where it is gone. */
export type StoredImage = {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly read: () => Promise<Uint8Array | null>;
};

/** Finds images of a chat for its answers. Callers have checked access. */
@Injectable()
export class SeenImages {
  constructor(
    private readonly files: FilesRepository,
    private readonly blobs: Blobs,
  ) {}

  /** Those of these that are ready and still there. No bytes are read yet. */
  async find(scope: OrganisationScope, ids: readonly FileId[]): Promise<ReadonlyMap<FileId, StoredImage>> {
    if (ids.length === 0) return new Map();
    const rows = await this.files.findMany(scope, ids);
    return new Map(
      rows.flatMap((row) => {
        const { _id, image, textBytes: bytes } = row;
        return image ? [[_id, { ...image, bytes, read: () => this.read(seenKey(row)) }]] : [];
      }),
    );
  }

  private async read(key: string): Promise<Uint8Array | null> {
    const content = await this.blobs.get(key);
    return content && buffer(content);
  }
}
