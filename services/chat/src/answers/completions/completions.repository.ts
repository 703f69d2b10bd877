import { Injectable } from '@nestjs/common';
import type { CompletionId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { FileReferences } from '../../conversations/index.ts';
import { FileUses } from '../../knowledge/files/index.ts';
import { ApartQuestions, type ApartKeeper } from '../generations/index.ts';
import { completionRows, type CompletionRow } from './completion.collection.ts';

const purgedAtOnce = 200;
const hourMs = 3_600_000;

/** Stores the questions of programs. */
@Injectable()
export class CompletionsRepository implements ApartKeeper<CompletionId> {
  /** 25 hours: longer than any answer takes. */
  readonly keepMs = 25 * hourMs;
  private readonly rows: Rows<typeof completionRows>;

  constructor(
    mongo: Mongo,
    apart: ApartQuestions,
    references: FileReferences,
    private readonly uses: FileUses,
  ) {
    this.rows = mongo.rows(completionRows);
    apart.add('completion', this);
    references.add((scope, files, tx) => this.rows.within(scope, tx).exists({ files }));
  }

  /** Stores a question, and protects its files, which belong to this person, from erasure. */
  async insert(
    scope: OrganisationScope,
    { row, userId }: { readonly row: CompletionRow; readonly userId: UserId },
    tx: Transaction,
  ): Promise<void> {
    await this.uses.hold(scope, { userId, ids: row.files ?? [] }, tx);
    await this.rows.within(scope, tx).insert(row);
  }

  async find(scope: OrganisationScope, id: CompletionId): Promise<CompletionRow> {
    const found = await this.rows.within(scope).findById(id);
    if (!found) throw new Error(`Completion ${id} was removed before it was answered.`);
    return found;
  }

  listBefore(scope: PlatformScope, before: Date): Promise<CompletionRow[]> {
    return this.rows.within(scope).find({ askedAt: { $lt: before } }, { limit: purgedAtOnce });
  }

  /** Deletes a question, and no longer protects its files from erasure. */
  async delete(scope: PlatformScope, id: CompletionId, tx: Transaction): Promise<void> {
    const row = await this.rows.within(scope, tx).findById(id);
    if (row?.files) await this.uses.letGo(scope.in(row.orgId), row.files, tx);
    await this.rows.within(scope, tx).delete({ _id: id });
  }
}
