import { Injectable } from '@nestjs/common';
import { isDamage } from '@parley/chat-exports';
import type { MessageFile } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ImportedFiles } from '../../knowledge/files/index.ts';
import type { Drafted } from './chat-plan.ts';
import type { NewLoss } from './import-losses.ts';
import type { ImportRow } from './import.collection.ts';

export type FilesOf = {
  readonly files: ReadonlyMap<string, readonly MessageFile[]>;
  readonly losses: readonly NewLoss[];
};

/** Stores the files of messages before these refer to them. */
@Injectable()
export class MessageFiles {
  constructor(private readonly imported: ImportedFiles) {}

  /** Those that fit, by message; what doesn't is a loss. */
  async store(
    scope: OrganisationScope,
    { userId, groupIds }: Pick<ImportRow, 'userId' | 'groupIds'>,
    messages: readonly Drafted[],
  ): Promise<FilesOf> {
    const files = new Map<string, readonly MessageFile[]>();
    const losses: NewLoss[] = [];
    for (const { id: messageId, sourceId, files: ofMessage } of messages) {
      const stored: MessageFile[] = [];
      for (const { id, file } of ofMessage) {
        const { name, bytes } = file;
        const given = { id, userId, groupIds, name, bytes, open: () => file.open() };
        const kept = await this.imported.store(scope, given).catch(damageOf);
        if (typeof kept === 'string') losses.push({ reason: kept, message: sourceId, name });
        else stored.push(kept);
      }
      if (stored.length > 0) files.set(messageId, stored);
    }
    return { files, losses };
  }
}

/** Damage is the file's; anything else is not. */
function damageOf(error: unknown): 'file-damaged' {
  if (isDamage(error)) return 'file-damaged';
  throw error;
}
