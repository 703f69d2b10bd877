import { Injectable } from '@nestjs/common';
import type { ChatExport, createExport, deleteExport, downloadExport, listExports } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type Download, type ResponseOf } from '@parley/protocol';
import { StorageQuota } from '../../knowledge/documents/index.ts';
import { JobRows } from '@parley/platform/jobs';
import { ExportEraser } from './export-eraser.ts';
import type { ExportRow } from './export.collection.ts';
import { writeExport } from './export-jobs.ts';
import { blobKey, newExport, toExport } from './export.ts';
import { ExportsRepository } from './exports.repository.ts';
import { recordExport } from './record-export.ts';

/** A person's exports of all that they have; `ExportAttempt` writes them. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly eraser: ExportEraser,
    private readonly jobs: JobRows,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Those that have failed make room for it. */
  async create({ scope, principal, body }: InputOf<typeof createExport>): Promise<ChatExport> {
    const { userId, locale } = principal;
    const now = this.clock.now();
    const begun = newExport({ id: body.id, orgId: scope.orgId, userId, locale }, now);
    return this.work.run(principal, async (tx) => {
      const { row, isNew } = await this.exports.create(scope, begun, tx);
      if (row.userId !== userId || row.isErasing)
        throw new Problem('platform.conflict', { detail: 'The id was used for something else.' });
      if (!isNew) return toExport(row);
      await this.quota.check(scope, 1, tx);
      for (const { _id, status } of await this.exports.allOf(scope, userId, tx))
        if (status === 'failed') await this.exports.beginErasing(scope, { _id, now }, tx);
      recordExport(tx, row);
      return toExport(row);
    });
  }

  async list({ scope, principal, query }: InputOf<typeof listExports>): Promise<ResponseOf<typeof listExports>> {
    const page = await this.exports.list(scope, { query, userId: principal.userId, to: (row) => row });
    const written = page.items.filter(({ status }) => status === 'writing').map(({ _id }) => _id);
    const progress = written.length > 0 ? await this.jobs.progressOf(writeExport, written) : new Map<string, never>();
    return { ...page, items: page.items.map((row) => toExport(row, progress.get(row._id))) };
  }

  async download(input: InputOf<typeof downloadExport>): Promise<Download> {
    const row = await this.find(input);
    if (row.isPending) throw new Problem('chat.export-running', { detail: 'Download it when it is ready.' });
    const isThere = row.status === 'ready' && row.eraseAt !== null && row.eraseAt > this.clock.now();
    const content = isThere ? await this.blobs.get(blobKey(row, row.attempts)) : null;
    if (!content) throw new Problem('chat.export-not-found');
    return { name: `parley-export-${row.createdAt.toISOString().slice(0, 10)}.zip`, content };
  }

  /** It is gone when this resolves, and so is its space unless it was being written or the store of files is away. */
  async delete(input: InputOf<typeof deleteExport>): Promise<void> {
    const { scope, principal } = input;
    const { _id, orgId, userId } = await this.find(input);
    const now = this.clock.now();
    const begun = await this.work.run(principal, async (tx) => {
      const row = await this.exports.beginErasing(scope, { _id, now }, tx);
      if (row) recordExport(tx, row);
      return row;
    });
    // The job would erase it, too; so the space is free when this resolves.
    if (begun?.status !== 'writing') await this.eraser.run({ exportId: _id, orgId, userId }).catch(() => undefined);
  }

  private async find({
    scope,
    principal,
    params,
  }: InputOf<typeof downloadExport> | InputOf<typeof deleteExport>): Promise<ExportRow> {
    const row = await this.exports.find(scope, { id: params.exportId, userId: principal.userId });
    if (!row) throw new Problem('chat.export-not-found');
    return row;
  }
}
