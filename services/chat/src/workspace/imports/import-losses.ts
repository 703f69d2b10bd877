import { Injectable } from '@nestjs/common';
import type { ImportId, LossReason } from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { lossRows, type ImportRow, type LossRow } from './import.collection.ts';
import { mostLosses } from './import.ts';

export type NewLoss = {
  readonly reason: LossReason;
  /** Of the source. */
  readonly message: string | null;
  readonly name: string | null;
};
type Lost = {
  /** Of the chat in the export. */
  readonly at: number;
  readonly title: string;
  readonly chat: string | null;
  readonly losses: readonly NewLoss[];
};

/** Says who has found it; `number` names the project of the report. */
type Finding =
  | { readonly by: 'check' | 'import' | 'project-files' }
  | { readonly by: 'projects'; readonly number: number };

const rowsAtOnce = 500;
/** Orders losses: those that the check found first, then those of projects and of their files, then those of the first chat. */
const behindCheck = 50_000;
const ofFiles = 35_000;
const ofProjects = 10_000;
/** Limits the losses of one project. */
const ofProject = 100;

/** What imports leave out. */
@Injectable()
export class ImportLosses {
  private readonly rows: Rows<typeof lossRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(lossRows);
  }

  /** Keeps what fits; repeating is harmless. */
  async add(
    scope: OrganisationScope,
    row: Pick<ImportRow, '_id' | 'userId' | 'losses'>,
    { at, title, chat, losses, ...found }: Lost & Finding,
    tx?: Transaction,
  ): Promise<void> {
    const from = fromOf(found, row);
    const kept = losses.slice(0, Math.max(0, mostLosses - row.losses));
    for (let start = 0; start < kept.length; start += rowsAtOnce)
      await this.rows.within(scope, tx).upsertEach(
        kept.slice(start, start + rowsAtOnce).map(({ reason, message, name }, index) => {
          const number = from + start + index;
          const _id = `${row._id}/${String(at).padStart(7, '0')}/${String(number).padStart(6, '0')}`;
          const said = { chatTitle: title, chat, message, reason, name };
          return { filter: { _id, userId: row.userId }, change: { $set: { importId: row._id, ...said } } };
        }),
      );
  }

  list(
    scope: OrganisationScope,
    { importId, query }: { readonly importId: ImportId; readonly query: PageQuery },
  ): Promise<Page<LossRow>> {
    return this.rows.within(scope).page(query, { by: { _id: 1 }, where: { importId }, to: (row) => row });
  }

  deleteAll(scope: OrganisationScope, importId: ImportId): Promise<void> {
    return this.rows.within(scope).deleteInBatches({ importId });
  }
}

function fromOf(found: Finding, { losses }: Pick<ImportRow, 'losses'>): number {
  if (found.by === 'project-files') return ofFiles + losses;
  if (found.by === 'projects') return ofProjects + ofProject * found.number;
  return found.by === 'check' ? 0 : behindCheck;
}
