import { Injectable } from '@nestjs/common';
import type { CompletionId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { completionRows, type CompletionRow } from './completion.collection.ts';

const purgedAtOnce = 200;

/** What programs have asked for. */
@Injectable()
export class CompletionsRepository {
  private readonly rows: Rows<typeof completionRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(completionRows);
  }

  insert(scope: OrganisationScope, row: CompletionRow, tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).insert(row);
  }

  async find(scope: OrganisationScope, id: CompletionId): Promise<CompletionRow> {
    const found = await this.rows.within(scope).findById(id);
    if (!found) throw new Error(`Completion ${id} was removed before it was answered.`);
    return found;
  }

  listBefore(scope: PlatformScope, before: Date): Promise<CompletionRow[]> {
    return this.rows.within(scope).find({ askedAt: { $lt: before } }, { limit: purgedAtOnce });
  }

  async delete(scope: PlatformScope, id: CompletionId, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id: id });
  }
}
