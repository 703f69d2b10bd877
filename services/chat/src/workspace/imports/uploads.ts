import { Injectable } from '@nestjs/common';
import { importFinished, importPartBytes, importsChanged, type createImport } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { freeingSpace, jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Problem, type BodyOf } from '@parley/protocol';
import { Readable } from 'node:stream';
import { ChatSettings } from '../../chat.config.ts';
import type { Viewer } from '../../conversations/index.ts';
import { StorageQuota } from '../../knowledge/documents/index.ts';
import type { ImportRow } from './import.collection.ts';
import {
  bytesOfPart,
  forgetAtOf,
  importKey,
  isOver,
  isRepeatable,
  mostKept,
  newImport,
  partsOf,
  receivedBytes,
  toldOf,
} from './import.ts';
import { ImportLosses } from './import-losses.ts';
import { importChats } from './import-job.ts';
import { ImportsRepository } from './imports.repository.ts';

const tidyMs = 15_000;
const rowsPerLook = 50;
const jobs = jobScope('chats are imported');
const deleting = job('deletes uploads of chats');

type Files = BodyOf<typeof createImport>['files'];
type Part = { readonly number: number; readonly part: number };

/** The bytes of imports: they come in parts, count for the storage of the organisation, and go when nobody needs them. */
@Injectable()
export class Uploads {
  readonly upkeep = every('deletes uploads of chats', tidyMs, () => this.tidy());

  constructor(
    private readonly imports: ImportsRepository,
    private readonly losses: ImportLosses,
    private readonly blobs: Blobs,
    private readonly quota: StorageQuota,
    private readonly settings: ChatSettings,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Of one import. */
  get mostBytes(): number {
    return this.settings.importMax;
  }

  /** Refuses an upload that doesn't fit now. Only parts that have come take room. */
  async begin(viewer: Viewer, { id, files }: BodyOf<typeof createImport>): Promise<ImportRow> {
    const { scope, principal } = viewer;
    const known = await this.imports.findAny(scope, id);
    if (known) return sameImport(known, viewer, files);
    await this.check(viewer, files);
    const kept = await this.imports.newestOf(scope, principal.userId, mostKept);
    for (const old of kept.slice(mostKept - 1)) if (isOver(old)) await this.drop(scope, old);
    const row = newImport({ id, orgId: scope.orgId, person: principal, files: [] }, this.clock.now());
    const begun: ImportRow['files'] = [];
    for (const [index, file] of files.entries())
      begun.push({ ...file, uploadId: await this.blobs.beginParts(importKey(row, index + 1)), received: [] });
    const created = { ...row, files: begun };
    try {
      return await this.work.run(principal, async (tx) => {
        await this.check(viewer, files, tx);
        if (!(await this.imports.create(scope, created, tx))) throw new Problem('platform.conflict');
        tx.record(importsChanged, toldOf(created));
        return created;
      });
    } catch (error) {
      await this.abort(created);
      // The same call at the same time was faster.
      const other = await this.imports.findAny(scope, id);
      if (other) return sameImport(other, viewer, files);
      throw error;
    }
  }

  /** Durable when it resolves. */
  async put(viewer: Viewer, row: ImportRow, { number, part }: Part, content: AsyncIterable<Buffer>): Promise<void> {
    const { scope, principal } = viewer;
    const file = row.files[number - 1];
    if (!file || part > partsOf(file.bytes)) throw new Problem('platform.not-found', { detail: 'No such part.' });
    if (row.status !== 'uploading' || file.uploadId === null) return;
    const size = bytesOfPart(file.bytes, part);
    if (!file.received.includes(part)) await this.quota.check(scope, size);
    const uploadId = file.uploadId;
    const exactly = Readable.from(ofSize(content, size), { objectMode: false });
    await this.blobs.putPart(importKey(row, number), { uploadId, number: part, maxBytes: size }, exactly);
    await this.work.run(principal, async (tx) => {
      const now = await this.imports.own(scope, { id: row._id, userId: principal.userId }, tx);
      if (now.status !== 'uploading') return;
      const files = now.files.map((one, index) =>
        index === number - 1 && !one.received.includes(part)
          ? { ...one, received: [...one.received, part].toSorted((first, second) => first - second) }
          : one,
      );
      const storedBytes = receivedBytes({ files });
      await this.imports.count(scope, now, { files, storedBytes, isHeld: false, forgetAt: forgetAtOf(now) }, tx);
      if (storedBytes > now.storedBytes) await this.quota.check(scope, 0, tx);
    });
  }

  /** Makes each file whole; repeating is harmless. `platform.not-found` where the upload is gone. */
  async complete(row: ImportRow): Promise<ImportRow['files']> {
    const whole: ImportRow['files'] = [];
    for (const [index, file] of row.files.entries()) {
      const { uploadId, received } = file;
      if (uploadId !== null) await this.blobs.completeParts(importKey(row, index + 1), uploadId, received);
      whole.push({ ...file, uploadId: null, received: [] });
    }
    return whole;
  }

  /** Deletes what is due: uploads of imports that ended, and those that are too old. */
  async tidy(): Promise<void> {
    const now = this.clock.now();
    await freeingSpace(async () => {
      for (const row of await this.imports.listExpired(jobs, now, rowsPerLook)) await this.expire(row);
      for (const row of await this.imports.listSettling(jobs, rowsPerLook)) await this.settle(jobs.in(row.orgId), row);
      for (const row of await this.imports.listForgotten(jobs, now, rowsPerLook))
        await this.drop(jobs.in(row.orgId), row);
    });
  }

  /**
   * The upload is deleted, and the end of what was started is told. While a worker has it, that waits. What can be tried
   * again keeps its upload until that is too old.
   */
  async settle(scope: OrganisationScope, row: ImportRow): Promise<void> {
    if (row.isRunning) return;
    if (isRepeatable(row) && row.expiresAt > this.clock.now()) {
      await this.imports.change(scope, { id: row._id, where: { revision: row.revision }, set: { isSettling: false } });
      return;
    }
    await this.delete(row);
    await this.work.run(deleting, async (tx) => {
      const settled = await this.imports.settle(scope, row, tx);
      if (!settled) return;
      tx.record(importsChanged, toldOf(settled));
      recordEnd(tx, settled);
    });
  }

  /** All of it goes; what was imported stays. */
  async drop(scope: OrganisationScope, row: ImportRow): Promise<void> {
    await this.delete(row);
    await this.losses.deleteAll(scope, row._id);
    await this.work.run(deleting, async (tx) => {
      const now = await this.imports.findAny(scope, row._id, tx);
      if (!now) return;
      await this.imports.delete(scope, now, tx);
      tx.cancel(importChats, now._id);
      const wasRunning = now.isStarted && now.storedBytes > 0;
      if (wasRunning) recordEnd(tx, isOver(now) ? now : { ...now, status: 'stopped' });
      tx.record(importsChanged, toldOf({ ...now, status: 'stopped' }));
    });
  }

  private async expire(row: ImportRow): Promise<void> {
    const set = {
      isWanted: false,
      isSettling: true,
      ...(!isOver(row) && ({ status: 'failed', failure: 'gone' } as const)),
    };
    await this.imports.change(jobs.in(row.orgId), { id: row._id, where: { revision: row.revision }, set });
  }

  private async delete(row: ImportRow): Promise<void> {
    await this.abort(row);
    for (const index of row.files.keys()) await this.blobs.delete(importKey(row, index + 1));
  }

  private async abort(row: ImportRow): Promise<void> {
    for (const [index, { uploadId }] of row.files.entries())
      if (uploadId !== null) await this.blobs.abortParts(importKey(row, index + 1), uploadId);
  }

  private async check({ scope }: Viewer, files: Files, tx?: Transaction): Promise<void> {
    const bytes = sumOf(files);
    const { importMax } = this.settings;
    if (bytes > importMax)
      throw new Problem('chat.import-too-large', { detail: `An upload has at most ${importMax} bytes in all.` });
    await this.quota.check(scope, bytes, tx);
  }
}

const sumOf = (files: Files): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** An id that is used for anything else is a conflict. */
function sameImport(known: ImportRow, { principal }: Viewer, files: Files): ImportRow {
  const isSame =
    known.userId === principal.userId &&
    known.files.length === files.length &&
    known.files.every(({ name, bytes }, index) => name === files[index]!.name && bytes === files[index]!.bytes);
  if (isSame) return known;
  throw new Problem('platform.conflict', { detail: 'The id was used for something else.' });
}

/** What is shorter is refused before it takes the place of what is there. */
async function* ofSize(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes < size)
    throw new Problem('platform.invalid-request', {
      detail: `This part has ${size} bytes, ${importPartBytes} unless it is the last one.`,
    });
}

function recordEnd(tx: Transaction, row: ImportRow): void {
  const { orgId, userId, _id: importId, source, status, imported, isStarted } = row;
  if (!isStarted || !source) return;
  if (status !== 'done' && status !== 'stopped' && status !== 'failed') return;
  tx.record(importFinished, { orgId, userId, importId, source, outcome: status, ...imported });
}
