import { Injectable } from '@nestjs/common';
import { importsChanged, type ChatImport, type ImportId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import {
  ConversationsRepository,
  ConversationsService,
  ImportedConversations,
  record,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import type { ImportRow } from './import.collection.ts';
import { isOver, toImport, toldOf } from './import.ts';
import { changeImportedChats } from './imported-chats-job.ts';
import { ImportsRepository } from './imports.repository.ts';

type Input = JobInput<typeof changeImportedChats>;
/** Restored in one transaction. What deleting one takes fills a transaction. */
const perBatch = 20;
/** `ending` is a deleted chat about whose end more is left to do. */
type Step = { readonly isOver: boolean; readonly ending: StoredConversation | null };
const jobs = jobScope('chats of imports are deleted and restored');

/** Deletes all chats of an import, or restores them. Each batch is one transaction, so a job continues where another process ended. */
@Injectable()
export class AllChats implements JobRunner<Input> {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly imported: ImportedConversations,
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  delete(viewer: Viewer, id: ImportId): Promise<ChatImport> {
    return this.want(viewer, id, 'deleting');
  }

  restore(viewer: Viewer, id: ImportId): Promise<ChatImport> {
    return this.want(viewer, id, 'restoring');
  }

  async run(input: Input, run: JobRun): Promise<GoesOn | void> {
    while (!(await this.changeSome(input, run))) {
      this.conversationsService.applyEnd();
      run.progressed();
      run.signal.throwIfAborted();
      if (run.shouldMakeRoom) return goOn();
    }
  }

  /** `platform.conflict` while the import still brings chats. */
  private want({ scope, principal }: Viewer, id: ImportId, state: 'deleting' | 'restoring'): Promise<ChatImport> {
    const { userId } = principal;
    return this.work.run(principal, async (tx) => {
      const row = await this.imports.own(scope, { id, userId }, tx);
      if (!isOver(row) || row.isRunning) throw new Problem('platform.conflict', { current: toImport(row) });
      // The job is at it already, or nobody deleted anything.
      if (row.chats?.state === state || (state === 'restoring' && !row.chats)) return toImport(row);
      const restorableUntil = new Date(this.clock.now().getTime() + keepDeletedMs);
      const chats = { restorableUntil, ...(state === 'restoring' && row.chats), state };
      const changed = await this.imports.change(scope, { id, set: { chats } }, tx);
      tx.queue(changeImportedChats, { importId: id, orgId: scope.orgId, userId });
      tx.record(importsChanged, toldOf(changed ?? row));
      return toImport(changed ?? row);
    });
  }

  /** Returns whether none is left. */
  private async changeSome({ orgId, importId, userId }: Input, run: JobRun): Promise<boolean> {
    const scope = jobs.in(orgId);
    const actor = job('deletes chats of imports', { onBehalfOf: userId });
    const { isOver, ending } = await this.work.run(actor, async (tx): Promise<Step> => {
      await run.hold(tx);
      const row = await this.imports.findAny(scope, importId, tx);
      if (!row?.chats || row.chats.state === 'deleted') return { isOver: true, ending: null };
      const isDeleting = row.chats.state === 'deleting';
      const [are, limit] = isDeleting ? (['there', 1] as const) : (['deleted', perBatch] as const);
      const found = await this.imported.some(scope, { ownerId: userId, importId, are, limit }, tx);
      if (found.length < limit) await this.settle(scope, row, tx);
      if (isDeleting) {
        const [chat] = found;
        return { isOver: !chat, ending: chat ? await this.deleteOne(scope, chat, tx) : null };
      }
      for (const chat of found) await this.restoreOne(scope, chat, tx);
      return { isOver: found.length < limit, ending: null };
    });
    let isMore = ending !== null;
    while (ending && isMore) isMore = await this.work.run(actor, (tx) => this.end(scope, ending, tx));
    return isOver;
  }

  /** Deletes as much of what belongs to a chat as fits into a transaction. Returns whether more is left for the next one. */
  private end(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<boolean> {
    return this.conversationsService.end(scope, { conversation, root: null }, tx);
  }

  private async settle(scope: OrganisationScope, { _id: id, chats }: ImportRow, tx: Transaction): Promise<void> {
    const set = { chats: chats?.state === 'deleting' ? { ...chats, state: 'deleted' as const } : null };
    const settled = await this.imports.change(scope, { id, set }, tx);
    if (settled) tx.record(importsChanged, toldOf(settled));
  }

  /** Returns it if more is left to do about its end. */
  private async deleteOne(
    scope: OrganisationScope,
    { _id: id, ownerId, imported }: StoredConversation,
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const now = this.clock.now();
    const wanted = { visible: { ownerId }, id, now, eraseAt: new Date(now.getTime() + keepDeletedMs) };
    const conversation = await this.conversations.delete(scope, wanted, tx);
    if (!conversation) return null;
    await this.imported.mark(scope, { _id: id, imported, isDeleted: true }, tx);
    record(tx, conversation, 'deleted');
    return (await this.end(scope, conversation, tx)) ? conversation : null;
  }

  /** One that its person has restored or erased since stays as it is. */
  private async restoreOne(
    scope: OrganisationScope,
    { _id: id, ownerId, imported }: StoredConversation,
    tx: Transaction,
  ) {
    const restored = await this.conversations.restore(scope, { visible: { ownerId }, id }, tx);
    await this.imported.mark(scope, { _id: id, imported, isDeleted: false }, tx);
    if (restored) record(tx, restored, 'restored');
  }
}
