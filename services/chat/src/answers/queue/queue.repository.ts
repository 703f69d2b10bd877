import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, WaitingFile } from '@parley/contracts';
import type { ProblemCode } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { FileReferences } from '../../conversations/index.ts';
import { FileUses } from '../../knowledge/files/index.ts';
import { queuedQuestionRows, type QueuedRow } from './queued-question.collection.ts';

type Which = { readonly conversationId: ConversationId; readonly id: MessageId };
type Seen = Pick<QueuedRow, '_id' | 'version'>;

@Injectable()
export class QueueRepository {
  private readonly rows: Rows<typeof queuedQuestionRows>;

  constructor(
    mongo: Mongo,
    private readonly uses: FileUses,
    references: FileReferences,
  ) {
    this.rows = mongo.rows(queuedQuestionRows);
    references.add((scope, fileId, tx) => this.rows.within(scope, tx).exists({ 'files.id': fileId }));
  }

  /** Returns all queued rows of a conversation, in order of arrival. */
  list(scope: OrganisationScope, conversationId: ConversationId, tx?: Transaction): Promise<QueuedRow[]> {
    return this.rows.within(scope, tx).find({ conversationId }, { sort: { number: 1 } });
  }

  /** Returns the next queued row of a conversation. */
  first(scope: OrganisationScope, conversationId: ConversationId, tx?: Transaction): Promise<QueuedRow | null> {
    return this.rows.within(scope, tx).findOne({ conversationId }, { sort: { number: 1 } });
  }

  find(scope: OrganisationScope, { conversationId, id }: Which, tx?: Transaction): Promise<QueuedRow | null> {
    return this.rows.within(scope, tx).findOne({ _id: id, conversationId });
  }

  /** Throws `chat.file-not-found` if a file was erased after it was looked up. */
  async add(scope: OrganisationScope, row: QueuedRow, tx: Transaction): Promise<void> {
    await this.uses.hold(scope, { userId: row.author.userId, ids: idsOf(row) }, tx);
    await this.rows.within(scope, tx).insert(row);
  }

  /** Returns null if the question was changed after that version, or isn't queued any more. */
  async edit(
    scope: OrganisationScope,
    {
      conversationId,
      id,
      version,
      text,
      files,
    }: Which & {
      readonly version: number;
      readonly text: string;
      /** The question's new files; missing: it keeps its files. */
      readonly files?: WaitingFile[] | undefined;
    },
    tx: Transaction,
  ): Promise<QueuedRow | null> {
    const where = { _id: id, conversationId, version, kind: 'question' } as const;
    const rows = this.rows.within(scope, tx);
    const before = files ? await rows.findOne(where) : null;
    const row = await rows.change(where, { $set: { text, files }, $inc: { version: 1 } });
    if (!row || !before) return row;
    const [old, now] = [idsOf(before), idsOf(row)];
    await this.uses.hold(scope, { userId: row.author.userId, ids: now }, tx);
    await this.uses.letGoLater(
      scope,
      old.filter((fileId) => !now.includes(fileId)),
      tx,
    );
    return row;
  }

  /**
   * Removes a question from the queue to ask it. Returns false if it was changed after it was read, or isn't queued any
   * more: of several callers, only one takes it.
   */
  take(scope: OrganisationScope, { _id, version }: Seen, tx: Transaction): Promise<boolean> {
    return this.rows.within(scope, tx).delete({ _id, version });
  }

  /** Removes questions from the queue without asking them. Their files are kept for another day. */
  async remove(scope: OrganisationScope, gone: readonly QueuedRow[], tx: Transaction): Promise<void> {
    await this.uses.letGoLater(scope, gone.flatMap(idsOf), tx);
    await this.rows.within(scope, tx).deleteMany({ _id: { $in: gone.map(({ _id }) => _id) } });
  }

  /** Moves the questions that follow one answer below another message. */
  async move(
    scope: OrganisationScope,
    { conversationId, from, to }: { conversationId: ConversationId; from: MessageId; to: MessageId | null },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).updateMany({ conversationId, parentId: from }, { $set: { parentId: to } });
  }

  /**
   * Sets the reason of a refusal; null clears it. Returns false if the question was changed after it was read, or isn't
   * queued any more.
   */
  setRefusal(
    scope: OrganisationScope,
    { seen: { _id, version }, refusal }: { readonly seen: Seen; readonly refusal: ProblemCode | null },
    tx: Transaction,
  ): Promise<boolean> {
    return this.rows.within(scope, tx).update({ _id, version }, { $set: { refusal } });
  }
}

const idsOf = ({ files = [] }: QueuedRow) => files.map(({ id }) => id);
