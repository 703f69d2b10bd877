import { Injectable } from '@nestjs/common';
import type { Message } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { MessageRow } from '../../conversations/index.ts';
import { GenerationsRepository, toMessage } from '../generations/index.ts';

/** Messages as their readers see them, with the state of their answers. */
@Injectable()
export class ShownMessages {
  constructor(private readonly generations: GenerationsRepository) {}

  async of(scope: OrganisationScope, rows: readonly MessageRow[]): Promise<Message[]> {
    const ids = rows.flatMap((row) => (row.generationId ? [row.generationId] : []));
    const found = await this.generations.findMany(scope, ids);
    const generations = new Map(found.map((generation) => [generation._id, generation]));
    return rows.map((row) => toMessage(row, (row.generationId && generations.get(row.generationId)) || null));
  }
}
