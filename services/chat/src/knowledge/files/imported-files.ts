import { Injectable } from '@nestjs/common';
import { limits, type FileId, type GroupId, type MessageFile } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Problem, type UserId } from '@parley/protocol';
import type { Readable } from 'node:stream';
import { cleanName, StorageQuota } from '../documents/index.ts';
import { isImage, keyStart, mediaTypeOf, newFile, toMessageFile } from './file.ts';
import { FilesRepository } from './files.repository.ts';

/** A file of a chat that is imported; `id` follows from where it is, so storing it again is harmless. */
export type GivenFile = {
  readonly id: FileId;
  readonly userId: UserId;
  readonly groupIds: readonly GroupId[];
  readonly name: string;
  readonly bytes: number;
  open(): Promise<Readable>;
};
export type NotStored = 'file-type-not-supported' | 'file-too-large' | 'file-damaged';

const importing = job('imports files of chats');

/** Stores files that come with an import, as if their person had uploaded them; the usual readers read them. */
@Injectable()
export class ImportedFiles {
  constructor(
    private readonly files: FilesRepository,
    private readonly quota: StorageQuota,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** As a message has it, or why it is not stored. What its storage throws, it throws, also where that is full. */
  async store(scope: OrganisationScope, given: GivenFile): Promise<MessageFile | NotStored> {
    const { id, userId, groupIds, bytes } = given;
    const name = cleanName(given.name);
    const mediaType = supported(name);
    if (!mediaType) return 'file-type-not-supported';
    const known = await this.files.find(scope, id);
    if (known) return toMessageFile(known, isImage(known) ? 'image' : 'whole');
    if (bytes > limits.chatFileBytes) return 'file-too-large';
    const key = keyStart({ _id: id, orgId: scope.orgId });
    try {
      await this.quota.check(scope, bytes);
      const file = { id, orgId: scope.orgId, userId, groupIds: [...groupIds], name, mediaType };
      const place = { key, replaced: 0, most: limits.chatFileBytes };
      const row = await this.quota.store(scope, place, await given.open(), (stored) =>
        this.work.run(importing, async (tx) => {
          const { fileKey, settle, drop } = stored;
          await settle(tx);
          const imported = newFile({ ...file, fileKey, bytes: stored.bytes }, this.clock.now());
          const { row: kept, isNew } = await this.files.create(scope, imported, tx);
          if (!isNew) await drop(tx, fileKey);
          return kept;
        }),
      );
      return toMessageFile(row, isImage(row) ? 'image' : 'whole');
    } catch (error) {
      const reason = reasonOf(error);
      if (!reason) throw error;
      return reason;
    }
  }
}

function supported(name: string): MessageFile['mediaType'] | null {
  try {
    return mediaTypeOf(name);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): NotStored | null {
  if (error instanceof Problem && error.code === 'platform.body-too-large') return 'file-too-large';
  return error instanceof Problem && error.code === 'chat.document-empty' ? 'file-damaged' : null;
}
