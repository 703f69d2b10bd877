import { Injectable } from '@nestjs/common';
import {
  chatbotChanged,
  isFor,
  type changeChatbotDraft,
  type ChatbotContent,
  type ChatbotDraft,
  type ChatbotId,
  type createChatbot,
  type deleteChatbot,
  type getChatbotDraft,
  type listChatbotDrafts,
  type listChatbotNames,
  type listChatbots,
  type listChatbotVersions,
  type publishChatbot,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type DataOf, type ResponseOf } from '@parley/protocol';
import type { ChatbotRow } from './chatbot.collection.ts';
import { isSameContent, toChatbot, toDraft, toSummary } from './chatbot.ts';
import { ChatbotsRepository } from './chatbots.repository.ts';
import { defaultChatbot, defaultIdOf } from './default-chatbot.ts';

/** What answers: which chatbot, in which version, and what that says. */
export type ChosenChatbot = { readonly id: ChatbotId; readonly version: number; readonly content: ChatbotContent };

type Viewer = { readonly scope: OrganisationScope; readonly principal: Member };
/** One that is published for whoever asks. */
export type UsableChatbot = {
  readonly id: ChatbotId;
  readonly row: ChatbotRow;
  readonly published: NonNullable<ChatbotRow['published']>;
};

/** What a feature that knows chatbots, but is not known here, does with them; each in the transaction of its act. */
export type Companion = {
  /** Throws where the draft may not be published. */
  readonly beforePublish: (scope: OrganisationScope, row: ChatbotRow, tx: Transaction) => Promise<void>;
  readonly whenDeleted: (scope: OrganisationScope, id: ChatbotId, tx: Transaction) => Promise<void>;
};

/** An organisation's chatbots: for whoever uses them, and for whoever makes them. */
@Injectable()
export class ChatbotsService {
  private readonly companions: Companion[] = [];

  constructor(
    private readonly chatbots: ChatbotsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  accompany(companion: Companion): void {
    this.companions.push(companion);
  }

  async list({ scope, principal }: InputOf<typeof listChatbots>): Promise<ResponseOf<typeof listChatbots>> {
    const usable = await this.usable({ scope, principal });
    return { items: usable.map(({ row, published }) => toChatbot(row, published)) };
  }

  /** What whoever asks may use, the default one first. */
  async usable({ scope, principal }: Viewer): Promise<UsableChatbot[]> {
    const rows = await this.chatbots.list(scope);
    const usable = rows.flatMap((row) => {
      const { published } = row;
      return published && isFor(published.content.audience, principal) ? { id: row._id, row, published } : [];
    });
    return usable.toSorted((one, other) => Number(other.row.isDefault) - Number(one.row.isDefault));
  }

  async listNames({ scope }: InputOf<typeof listChatbotNames>): Promise<ResponseOf<typeof listChatbotNames>> {
    const rows = await this.chatbots.list(scope);
    return {
      items: rows.map(({ _id: id, draft, published }) => ({ id, name: published?.content.name ?? draft.name })),
    };
  }

  /**
   * The wanted one, or the default one. `chat.chatbot-not-found` for what the asker may not use, as for what is not
   * there.
   */
  async choose({ scope, principal }: Viewer, wanted: ChatbotId | undefined): Promise<ChosenChatbot> {
    const row = await this.chatbots.find(scope, wanted ?? defaultIdOf(scope.orgId));
    if (!row?.published || !isFor(row.published.content.audience, principal))
      throw new Problem('chat.chatbot-not-found', { detail: 'It is not offered to you any more. Choose another one.' });
    const { version, content } = row.published;
    return { id: row._id, version, content };
  }

  /** Whoever may use it, and published or not. */
  async isThere(scope: OrganisationScope, id: ChatbotId): Promise<boolean> {
    return (await this.chatbots.find(scope, id)) !== null;
  }

  /** For whoever makes it, whoever it is for: the draft as it is now (null), or one that was published. */
  async content(scope: OrganisationScope, id: ChatbotId, version: number | null): Promise<ChosenChatbot> {
    const { draft, published, isDefault } = await this.row(scope, id);
    if (version === null) return { id, version: (published?.version ?? 0) + 1, content: draft };
    const isThere = published && version <= published.version && (version > 0 || isDefault);
    if (!isThere) throw new Problem('platform.not-found', { detail: 'No such version.' });
    return { id, version, content: await this.chatbots.content(scope, { id, version }) };
  }

  async listDrafts({ scope }: InputOf<typeof listChatbotDrafts>): Promise<ResponseOf<typeof listChatbotDrafts>> {
    const rows = await this.chatbots.list(scope);
    const editedAt = (row: ChatbotRow): number => row.editedAt?.getTime() ?? 0;
    return { items: rows.toSorted((one, other) => editedAt(other) - editedAt(one)).map(toSummary) };
  }

  async getDraft({ scope, params }: InputOf<typeof getChatbotDraft>): Promise<ChatbotDraft> {
    return toDraft(await this.row(scope, params.chatbotId));
  }

  /** Repeating it with the same id returns what is there. */
  async create({ scope, principal, body }: InputOf<typeof createChatbot>): Promise<ChatbotDraft> {
    const { id: _id, content } = body;
    return this.work.run(principal, async (tx) => {
      if (_id === defaultIdOf(scope.orgId)) return toDraft(await this.row(scope, _id, tx));
      const { row, isNew } = await this.chatbots.insert(
        scope,
        {
          _id,
          orgId: scope.orgId,
          isDefault: false,
          revision: 1,
          draft: content,
          isChanged: true,
          ...this.editedBy(principal),
          published: null,
        },
        tx,
      );
      if (isNew) tx.record(chatbotChanged, told(row, principal, 'draft'));
      return toDraft(row);
    });
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeChatbotDraft>): Promise<ChatbotDraft> {
    const { content, revision } = body;
    return this.work.run(principal, async (tx) => {
      const seen = await this.kept(scope, params.chatbotId, tx);
      checkAudience(seen, content);
      const isChanged = !seen.published || !isSameContent(content, seen.published.content);
      const set = { draft: content, isChanged, ...this.editedBy(principal) };
      const row = await this.chatbots.change(scope, { _id: seen._id, revision }, set, tx);
      if (!row) throw new Problem('platform.conflict', { current: toDraft(seen) });
      tx.record(chatbotChanged, told(row, principal, 'draft'));
      return toDraft(row);
    });
  }

  async publish({ scope, principal, params, body }: InputOf<typeof publishChatbot>): Promise<ChatbotDraft> {
    const { revision, note } = body;
    return this.work.run(principal, async (tx) => {
      const seen = await this.kept(scope, params.chatbotId, tx);
      if (seen.revision === revision)
        for (const { beforePublish } of this.companions) await beforePublish(scope, seen, tx);
      const { editedAt, editedBy } = this.editedBy(principal);
      const version = (seen.published?.version ?? 0) + 1;
      const published = { version, note, by: editedBy, publishedAt: editedAt, content: seen.draft };
      const set = { published, isChanged: false };
      const row = await this.chatbots.change(scope, { _id: seen._id, revision }, set, tx);
      if (!row) throw new Problem('platform.conflict', { current: toDraft(seen) });
      await this.chatbots.addVersion(scope, row._id, published, tx);
      tx.record(chatbotChanged, { ...told(row, principal, 'published'), version, note });
      return toDraft(row);
    });
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteChatbot>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const row = await this.row(scope, params.chatbotId, tx);
      if (row.isDefault)
        throw new Problem('platform.conflict', { detail: 'Every organisation keeps its default chatbot.' });
      for (const { whenDeleted } of this.companions) await whenDeleted(scope, row._id, tx);
      if (await this.chatbots.delete(scope, row._id, tx)) tx.record(chatbotChanged, told(row, principal, 'deleted'));
    });
  }

  async listVersions({
    scope,
    params,
    query,
  }: InputOf<typeof listChatbotVersions>): Promise<ResponseOf<typeof listChatbotVersions>> {
    const { _id } = await this.row(scope, params.chatbotId);
    return this.chatbots.listVersions(scope, _id, query);
  }

  /** As it is kept. `chat.chatbot-not-found` for one of another organisation. */
  async row(scope: OrganisationScope, id: ChatbotId, tx?: Transaction): Promise<ChatbotRow> {
    const row = await this.chatbots.find(scope, id, tx);
    if (!row) throw new Problem('chat.chatbot-not-found');
    return row;
  }

  /** Drafts that are being edited stay as they are. */
  async setGate(
    scope: OrganisationScope,
    { _id }: ChatbotRow,
    gate: NonNullable<ChatbotRow['gate']> | null,
    tx: Transaction,
  ): Promise<void> {
    await this.chatbots.setGate(scope, (await this.kept(scope, _id, tx))._id, gate, tx);
  }

  /** The row itself: that of the default one is made here. */
  private async kept(scope: OrganisationScope, id: ChatbotId, tx: Transaction): Promise<ChatbotRow> {
    const row = await this.row(scope, id, tx);
    if (row.revision > 0) return row;
    return (await this.chatbots.insert(scope, defaultChatbot(scope.orgId), tx)).row;
  }

  private editedBy({ userId, name }: Member) {
    return { editedAt: this.clock.now(), editedBy: { userId, name } };
  }
}

/** Whoever has no other one has the default one. */
function checkAudience({ isDefault }: ChatbotRow, { audience }: ChatbotContent): void {
  if (isDefault && audience.kind !== 'everybody')
    throw new Problem('platform.invalid-request', { detail: 'The default chatbot is for everybody.' });
}

function told(
  { _id: chatbotId, orgId, draft, published }: ChatbotRow,
  { userId: by }: Member,
  change: DataOf<typeof chatbotChanged>['change'],
): DataOf<typeof chatbotChanged> {
  return { orgId, chatbotId, by, change, name: draft.name, version: published?.version ?? null, note: '' };
}
