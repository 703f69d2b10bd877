import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { GenerationsRepository } from '../../answers/generations/index.ts';
import {
  ConversationsRepository,
  ImportedConversations,
  MessagePaths,
  MessagesRepository,
  ReadingPlaces,
  type NewMessage,
  type StoredConversation,
} from '../../conversations/index.ts';
import { FileUses } from '../../knowledge/files/index.ts';
import type { ChatPlan, Drafted } from './chat-plan.ts';
import type { ImportRow } from './import.collection.ts';
import type { importedMessage } from './imported-messages.ts';

/** Of one transaction (ADR 0032). */
const keysPerBatch = 2_000;

export type Made = {
  readonly message: NewMessage;
  readonly generation: ReturnType<typeof importedMessage>['generation'];
};

/** In batches of so many search keys, one message at least. */
export function byKeys(made: readonly Made[]): Made[][] {
  const batches: Made[][] = [];
  let keys = 0;
  for (const one of made) {
    const more = one.message.searchKeys.length;
    const batch = batches.at(-1);
    if (batch && keys + more <= keysPerBatch) {
      batch.push(one);
      keys += more;
    } else {
      batches.push([one]);
      keys = more;
    }
  }
  return batches;
}

/** The rows of conversations that are being written. */
@Injectable()
export class StoredChats {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly imported: ImportedConversations,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly paths: MessagePaths,
    private readonly reading: ReadingPlaces,
    private readonly uses: FileUses,
  ) {}

  /** What is there of an earlier attempt. */
  keep(
    scope: OrganisationScope,
    which: { readonly id: StoredConversation['_id']; readonly eraseAt: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.imported.keepCopying(scope, which, tx);
  }

  begin(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<void> {
    return this.conversations.create(scope, conversation, tx);
  }

  existing(scope: OrganisationScope, some: readonly Pick<Drafted, 'id'>[]): Promise<ReadonlySet<string>> {
    return this.messages.existing(
      scope,
      some.map(({ id }) => id),
    );
  }

  async write(
    scope: OrganisationScope,
    { userId, made }: { readonly userId: ImportRow['userId']; readonly made: readonly Made[] },
    tx: Transaction,
  ): Promise<void> {
    const ids = made.flatMap(({ message }) => (message.files ?? []).map(({ id }) => id));
    await this.uses.hold(scope, { userId, ids: [...new Set(ids)] }, tx);
    await this.messages.create(
      scope,
      made.map(({ message }) => message),
      tx,
    );
    const generations = made.flatMap(({ generation }) => generation ?? []);
    await this.generations.createMany(scope, generations, tx);
  }

  async show(
    scope: OrganisationScope,
    {
      conversation,
      userId,
      leafId,
      projectId,
    }: {
      conversation: StoredConversation;
      userId: ImportRow['userId'];
      leafId: ChatPlan['leafId'];
      projectId: ProjectId | null;
    },
    tx: Transaction,
  ): Promise<void> {
    const { _id: id, lastActivityAt } = conversation;
    const lastAnswerId = await this.paths.lastAnswer(scope, conversation, tx);
    const shown = await this.conversations.finishCopy(
      scope,
      { id, lastAnswerId, lastActivityAt, ...(projectId && { projectId }) },
      tx,
    );
    if (!shown) throw new Error('A conversation was erased while it was imported.');
    if (leafId) await this.reading.keep(scope, { conversationId: id, userId, leafId }, tx);
  }
}
