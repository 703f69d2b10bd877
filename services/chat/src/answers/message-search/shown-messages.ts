import { Injectable } from '@nestjs/common';
import type { Message } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { isDeleted, type MessageRow, type Standing } from '../../conversations/index.ts';
import { GenerationsRepository, toMessage } from '../generations/index.ts';

/** Returns messages as their readers see them, with the state of the answers. */
@Injectable()
export class ShownMessages {
  constructor(private readonly generations: GenerationsRepository) {}

  /** Returns these messages as a reader sees them: without text if they are below one of the `deleted` messages. */
  async of(
    scope: OrganisationScope,
    rows: readonly MessageRow[],
    deleted: readonly Standing[] = [],
  ): Promise<Message[]> {
    const ids = rows.flatMap((row) => (row.generationId ? [row.generationId] : []));
    const found = await this.generations.findMany(scope, ids);
    const generations = new Map(found.map((generation) => [generation._id, generation]));
    return rows.map((row) =>
      toMessage(row, (row.generationId && generations.get(row.generationId)) || null, isDeleted(row, deleted)),
    );
  }
}
