import { Injectable } from '@nestjs/common';
import type { FileId } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Readable } from 'node:stream';
import type { FileRow } from './file.collection.ts';
import { blobKey } from './file.ts';
import { FilesRepository } from './files.repository.ts';

type StoredFile = Pick<FileRow, 'name' | 'mediaType'> & { readonly content: Readable };

/** Files of chats as they were uploaded, for features that have decided who gets them. */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly files: FilesRepository,
    private readonly blobs: Blobs,
  ) {}

  /** Anybody's of the organisation; null where it is gone. Whoever opens it reads the content or destroys it. */
  async open(scope: OrganisationScope, id: FileId): Promise<StoredFile | null> {
    const row = await this.files.find(scope, id);
    const content = row && (await this.blobs.get(blobKey(row)));
    return row && content ? { name: row.name, mediaType: row.mediaType, content } : null;
  }
}
