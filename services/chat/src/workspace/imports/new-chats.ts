import { Injectable } from '@nestjs/common';
import type { ReadChat } from '@parley/chat-exports';
import { conversationImported, type ImportSource, type ProjectId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { giveWay } from '@parley/platform/give-way';
import { job, Work } from '@parley/platform/work';
import { ProjectAccess, rowFieldsOf, titleFrom, type StoredConversation } from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { branchesIn, planChat, type ChatPlan, type Planned } from './chat-plan.ts';
import { targetIn } from './import.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportLosses, type NewLoss } from './import-losses.ts';
import { conversationIdOf, ImportedChats, type ChatState } from './imported-chats.ts';
import { importedMessage } from './imported-messages.ts';
import { ImportsRepository } from './imports.repository.ts';
import { MessageFiles } from './message-files.ts';
import { MessageIds } from './message-ids.ts';
import type { ChatbotNames } from './named-chatbots.ts';
import { byKeys, StoredChats } from './stored-chats.ts';

/** Of one transaction, each with its answer's generation and its search keys (ADR 0032). */
const messagesPerBatch = 20;
const importing = job('imports chats');

/** The import, and where its chat is in the export. */
export type Importing = {
  readonly row: ImportRow;
  readonly source: ImportSource;
  readonly at: number;
  /** Comes with exports that name chatbots. */
  readonly chatbots: ChatbotNames | null;
};
/** A chat that is not here, or that an attempt began and did not finish. */
type NotThere = Extract<ChatState, { readonly round: number }>;
type Writing = Importing & {
  readonly chat: ReadChat;
  readonly plan: ChatPlan;
  readonly conversation: StoredConversation;
};

/**
 * Writes a chat that is not here in small transactions, into a conversation that nobody sees until all of it is there.
 * What was cut off goes on; what nobody goes on with is erased like a deleted chat.
 */
@Injectable()
export class NewChats {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly chats: ImportedChats,
    private readonly losses: ImportLosses,
    private readonly files: MessageFiles,
    private readonly stored: StoredChats,
    private readonly ids: MessageIds,
    private readonly projects: ProjectAccess,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Returns the import as it is then. */
  async write(
    scope: OrganisationScope,
    importing: Importing,
    { chat, state, signal }: { readonly chat: ReadChat; readonly state: NotThere; readonly signal: AbortSignal },
  ): Promise<ImportRow> {
    const { row, source } = importing;
    const { round } = state;
    const begun = state.kind === 'unfinished' ? state.conversation._id : null;
    const id = begun ?? conversationIdOf(scope, { userId: row.userId, source }, { chat: chat.sourceId, round });
    const sources = begun ? chat.messages.map(({ sourceId }) => sourceId) : [];
    const plan = planChat(chat, { ids: await this.ids.in(scope, id, sources), now: this.clock.now() });
    const conversation = await this.begin(scope, importing, { chat, plan, id, round });
    const writing: Writing = { ...importing, chat, plan, conversation };
    const losses: NewLoss[] = [];
    let fileCount = 0;
    for (let from = 0; from < plan.messages.length; from += messagesPerBatch) {
      signal.throwIfAborted();
      const some = plan.messages.slice(from, from + messagesPerBatch);
      const given = await this.files.store(scope, row, some);
      losses.push(...given.losses);
      fileCount += [...given.files.values()].flat().length;
      await this.writeSome(scope, writing, { some, files: given.files });
      await giveWay();
    }
    return this.finish(scope, writing, { losses, fileCount });
  }

  private async begin(
    scope: OrganisationScope,
    { row, source }: Importing,
    { chat, plan, id, round }: { chat: ReadChat; plan: ChatPlan; id: StoredConversation['_id']; round: number },
  ): Promise<StoredConversation> {
    const now = this.clock.now();
    const eraseAt = new Date(now.getTime() + keepDeletedMs);
    const first = plan.messages[0]?.createdAt ?? now;
    const last = plan.messages.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), first);
    const updated = chat.updatedAt && chat.updatedAt < now ? chat.updatedAt : null;
    const created = chat.createdAt && chat.createdAt < now ? chat.createdAt : null;
    const whose = { userId: row.userId, source };
    const branchedFrom = chat.branchedFrom && (await this.chats.originOf(scope, whose, chat.branchedFrom));
    const conversation: StoredConversation = {
      _id: id,
      orgId: scope.orgId,
      ownerId: row.userId,
      ...rowFieldsOf({
        title: chat.title || titleFrom(plan.messages.find(({ role }) => role === 'person')?.text ?? ''),
        isPinned: chat.isPinned,
        isArchived: chat.isArchived,
      }),
      sequence: plan.messages.length + 1,
      lastPosition: plan.messages.length,
      lastRun: plan.lastRun,
      lastAnswerId: null,
      ...(branchedFrom && { branchedFrom }),
      imported: { source, at: now, importId: row._id },
      isCopying: true,
      running: null,
      isDeleted: true,
      deletedAt: now,
      erasure: 'waiting',
      eraseAt,
      createdAt: created ?? first,
      lastActivityAt: updated ?? last,
      version: 1,
    };
    return this.work.run(importing, async (tx) => {
      await this.imports.hold(scope, row, {}, tx);
      const known = await this.stored.keep(scope, { id, eraseAt }, tx);
      if (known) return known;
      await this.stored.begin(scope, conversation, tx);
      await this.chats.begin(scope, whose, { chat: chat.sourceId, id, round }, tx);
      return conversation;
    });
  }

  /** Those that are not there yet. */
  private async writeSome(
    scope: OrganisationScope,
    { row, source, chatbots, conversation }: Writing,
    { some, files }: { some: readonly Planned[]; files: Awaited<ReturnType<MessageFiles['store']>>['files'] },
  ): Promise<void> {
    const there = await this.stored.existing(scope, some);
    const made = some
      .filter(({ id }) => !there.has(id))
      .map((message) => {
        const at = { ...message, sequence: message.position + 1 };
        const given = files.get(message.id) ?? [];
        return importedMessage(message, { conversation, by: row, source, at, files: given, chatbots });
      });
    for (const batch of byKeys(made))
      await this.work.run(importing, async (tx) => {
        await this.imports.hold(scope, row, {}, tx);
        await this.stored.write(scope, { userId: row.userId, made: batch }, tx);
      });
  }

  /** From now on its person sees it, and the import has dealt with it: once, however often it was cut off. */
  private async finish(
    scope: OrganisationScope,
    { row, source, at, chat, plan, conversation }: Writing,
    { losses, fileCount }: { readonly losses: readonly NewLoss[]; readonly fileCount: number },
  ): Promise<ImportRow> {
    const { userId } = row;
    const sources = chat.messages.map(({ sourceId }) => sourceId);
    return this.work.run(importing, async (tx) => {
      const held = await this.imports.hold(scope, row, {}, tx);
      const placed = await this.letIn(scope, { row: held, chat }, tx);
      await this.stored.show(scope, { conversation, userId, leafId: plan.leafId, projectId: placed.projectId }, tx);
      tx.record(
        conversationImported,
        { orgId: scope.orgId, conversationId: conversation._id, userId, importId: row._id },
        { sequence: conversation.sequence },
      );
      await this.chats.note(scope, { userId, source }, { chat: chat.sourceId, messages: sources }, tx);
      const all = [...losses, ...placed.losses];
      const lost = { at, title: conversation.title, chat: chat.sourceId, losses: all, by: 'import' } as const;
      await this.losses.add(scope, held, lost, tx);
      const imported = {
        chats: held.imported.chats + 1,
        messages: held.imported.messages + plan.messages.filter(({ sourceId }) => sourceId !== null).length,
        branches: held.imported.branches + branchesIn(chat.messages),
        files: held.imported.files + fileCount,
      };
      const set = { at: at + 1, imported, losses: held.losses + all.length };
      return this.imports.hold(scope, row, set, tx);
    });
  }

  /** It comes without a project that was deleted since. */
  private async letIn(
    scope: OrganisationScope,
    { row, chat }: { readonly row: ImportRow; readonly chat: ReadChat },
    tx: Transaction,
  ): Promise<{ readonly projectId: ProjectId | null; readonly losses: readonly NewLoss[] }> {
    const target = chat.project ? targetIn(row, chat.project.id) : undefined;
    if (!target?.projectId) return { projectId: null, losses: [] };
    const owner = { scope, principal: { userId: row.userId } };
    const projectId = await this.projects.letInIfThere(owner, target.projectId, tx);
    const isGone = projectId === null;
    return { projectId, losses: isGone ? [{ reason: 'project-deleted', message: null, name: target.name }] : [] };
  }
}
