import { Injectable } from '@nestjs/common';
import { Problem, type branchConversation, type Conversation, type ConversationId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { derivedId } from '@parley/platform/ids';
import type { Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { searchKeys } from '@parley/platform/text';
import { Work } from '@parley/platform/work';
import {
  ConversationAccess,
  ConversationsRepository,
  MessagePaths,
  MessagesRepository,
  OpenPaths,
  ownedBy,
  ReadingPlaces,
  record,
  searchScopeOf,
  toConversation,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { GenerationsRepository, type Generation } from '../generations/index.ts';
import { copyPlan, type Copied } from './copy-plan.ts';

/** Messages of one transaction, each with its answer's generation and its search keys (ADR 0032). */
const messagesPerBatch = 20;

type Input = InputOf<typeof branchConversation>;
type Plan = ReturnType<typeof copyPlan>;

/**
 * Branches to a new chat: copies messages in small transactions into a conversation that nobody sees until all of it is
 * there. A call that was cut off goes on when it is repeated; what nobody repeats is erased like a deleted chat.
 */
@Injectable()
export class BranchingService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly paths: MessagePaths,
    private readonly open: OpenPaths,
    private readonly reading: ReadingPlaces,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async branch(input: Input): Promise<Conversation> {
    const { scope, principal, params, body } = input;
    const source = await this.access.read(input, params.conversationId);
    const plan = await this.plan(input, source);
    const copy = await this.begin(input, { source, plan });
    if (!copy.isCopying) return toConversation(copy);
    for (let from = 0; from < plan.messages.length; from += messagesPerBatch)
      await this.copySome(input, { source, copy, some: plan.messages.slice(from, from + messagesPerBatch) });
    const finished = await this.work.run(principal, async (tx) => {
      const end = {
        id: copy._id,
        lastAnswerId: await this.paths.lineEnd(scope, copy, tx),
        lastActivityAt: this.clock.now(),
      };
      const shown = await this.conversations.finishCopy(scope, end, tx);
      if (!shown) return null;
      await this.reading.keep(scope, { conversationId: copy._id, userId: principal.userId, leafId: plan.leafId }, tx);
      record(tx, shown, 'created');
      return shown;
    });
    return toConversation(finished ?? (await this.access.read(input, body.id)));
  }

  private async plan(input: Input, source: StoredConversation): Promise<Plan> {
    const { scope, body } = input;
    const { leaf } = await this.open.find(input, source, { leaf: body.messageId });
    if (!leaf) throw new Problem('chat.message-not-found');
    const runningId = source.running?.answerId ?? null;
    if (runningId === leaf._id) throw new Problem('chat.generation-running', { detail: 'Wait for the answer first.' });
    const deleted = source.deletions ? await this.paths.deletedRoots(scope, source._id) : [];
    const wanted = { to: body.id, leaf, copies: body.copies, deleted, runningId };
    return copyPlan(await this.paths.all(scope, source._id), wanted);
  }

  /** The conversation, hidden; or what is there of an earlier call. */
  private async begin(
    input: Input,
    { source, plan: { messages, lastRun } }: { source: StoredConversation; plan: Plan },
  ): Promise<StoredConversation> {
    const { scope, principal, body } = input;
    const known = await this.access.find(input, body.id);
    if (known) return sameCopy(known, input);
    const now = this.clock.now();
    const copy: StoredConversation = {
      _id: body.id,
      orgId: scope.orgId,
      ...ownedBy(input),
      title: source.title,
      sequence: messages.length + 1,
      lastPosition: messages.length,
      lastRun,
      lastAnswerId: null,
      branchedFrom: { conversationId: source._id, messageId: body.messageId },
      isCopying: true,
      running: null,
      isDeleted: true,
      deletedAt: now,
      erasure: 'waiting',
      eraseAt: new Date(now.getTime() + keepDeletedMs),
      createdAt: now,
      lastActivityAt: now,
      version: 1,
    };
    await this.work.run(principal, (tx) => this.conversations.create(scope, copy, tx));
    return copy;
  }

  private async copySome(
    { scope, principal }: Viewer,
    { source, copy, some }: { source: StoredConversation; copy: StoredConversation; some: readonly Copied[] },
  ): Promise<void> {
    const there = await this.messages.existing(
      scope,
      some.map(({ id }) => id),
    );
    const missing = some.filter(({ id }) => !there.has(id));
    if (missing.length === 0) return;
    const originals = missing.map(({ original }) => original);
    const rows = new Map((await this.messages.findMany(scope, source._id, originals)).map((row) => [row._id, row]));
    const ids = [...rows.values()].flatMap(({ generationId }) => generationId ?? []);
    const generations = new Map((await this.generations.findMany(scope, ids)).map((one) => [one._id, one]));
    await this.work.run(principal, async (tx) => {
      for (const message of missing) {
        const row = rows.get(message.original);
        const generation = row?.generationId ? generations.get(row.generationId) : undefined;
        if (row) await this.copyOne(copy, { message, row, generation }, { scope, tx });
      }
    });
  }

  private async copyOne(
    copy: StoredConversation,
    { message, row, generation }: { message: Copied; row: MessageRow; generation: Generation | undefined },
    { scope, tx }: { scope: Viewer['scope']; tx: Transaction },
  ): Promise<void> {
    const { id: _id, parentId, place, forks, position } = message;
    const placed = { parentId, place, forks, position };
    const text = generation?.text ?? row.text;
    const generationId = generation ? derivedId('generation', [copy._id, generation._id]) : null;
    const { author, role, createdAt, orgId, files, imported, isRefused } = row;
    const kept = { ...(files && { files }), ...(imported && { imported }), ...(isRefused && { isRefused }) };
    const said = { role, text, createdAt, author, generationId, ...kept };
    const stored = { _id, orgId, conversationId: copy._id, ...said, ...placed };
    const found = { searchScope: searchScopeOf(copy), searchKeys: searchKeys(text) };
    await this.messages.create(scope, [{ ...stored, sequence: message.position + 1, ...found }], tx);
    if (!generation || !generationId || !placed.parentId) return;
    const own = { _id: generationId, conversationId: copy._id, questionId: placed.parentId, answerId: _id };
    // Its attempts were billed where they were made, and nothing of it goes on.
    const ended = { attempts: [], leaseHolder: null, leaseUntil: null, stopRequested: false };
    await this.generations.create(scope, { ...generation, ...own, ...ended }, tx);
  }
}

/** What an earlier call has made of the same wish; an id that is used for anything else is a conflict. */
function sameCopy(known: StoredConversation, { params, body }: Input): StoredConversation {
  const isSame = (id: ConversationId | undefined) => id === params.conversationId;
  if (isSame(known.branchedFrom?.conversationId) && known.branchedFrom?.messageId === body.messageId) return known;
  throw new Problem('platform.conflict', { detail: 'An id was used for something else.' });
}
