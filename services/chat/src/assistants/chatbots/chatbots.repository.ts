import { Injectable } from '@nestjs/common';
import {
  quotaLimits,
  type ChatbotContent,
  type ChatbotId,
  type ChatbotVersion,
  type ChatbotVersionRef,
} from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { LRUCache } from 'lru-cache';
import { chatbotRows, chatbotVersionRows, type ChatbotRow } from './chatbot.collection.ts';
import { chatbotQuota } from './chatbot-quota.ts';
import { asToday, rowAsToday, toVersion } from './chatbot.ts';
import { defaultChatbot, defaultIdOf, keptIdsOf } from './default-chatbot.ts';

const keptVersions = 200;
type Published = NonNullable<ChatbotRow['published']>;

/** Chatbots and their versions. The default one is found whether or not anybody has changed it. */
@Injectable()
export class ChatbotsRepository {
  private readonly chatbots: Rows<typeof chatbotRows>;
  private readonly versions: Rows<typeof chatbotVersionRows>;
  private readonly quotas: Quotas;
  /** A version never changes. */
  private readonly contents = new LRUCache<string, ChatbotContent>({ max: keptVersions });

  constructor(mongo: Mongo) {
    this.chatbots = mongo.rows(chatbotRows);
    this.versions = mongo.rows(chatbotVersionRows);
    this.quotas = new Quotas(mongo);
  }

  async list(scope: OrganisationScope): Promise<ChatbotRow[]> {
    const rows = await this.chatbots
      .within(scope)
      .find({ orgId: scope.orgId }, { sort: { _id: 1 }, limit: quotaLimits.chatbots.highest + 1 });
    const all = rows.some(({ isDefault }) => isDefault) ? rows : [defaultChatbot(scope.orgId), ...rows];
    return all.map(asNamed);
  }

  async find(scope: OrganisationScope, id: ChatbotId, tx?: Transaction): Promise<ChatbotRow | null> {
    const kept = { _id: { $in: keptIdsOf(scope.orgId, id) } };
    const row = await (tx
      ? this.chatbots.within(scope, tx).findOne(kept)
      : this.chatbots.recall(scope, id, (rows) => rows.findOne(kept)));
    if (row) return asNamed(row);
    return id === defaultIdOf(scope.orgId) ? defaultChatbot(scope.orgId) : null;
  }

  async insert(scope: OrganisationScope, row: ChatbotRow, tx: Transaction) {
    const [_id] = keptIdsOf(scope.orgId, row._id);
    const stored = await this.chatbots.within(scope, tx).insertOnce({ ...row, _id });
    if (stored.isNew && !row.isDefault) await this.quotas.admit(scope, tx, chatbotQuota);
    return { ...stored, row: { ...stored.row, _id: row._id } };
  }

  /** Null where another revision is there. */
  async change(
    scope: OrganisationScope,
    seen: Pick<ChatbotRow, '_id' | 'revision'>,
    set: Partial<Omit<ChatbotRow, '_id' | 'orgId' | 'revision'>>,
    tx: Transaction,
  ): Promise<ChatbotRow | null> {
    const _id = { $in: keptIdsOf(scope.orgId, seen._id) };
    const changed = await this.chatbots
      .within(scope, tx)
      .change({ _id, revision: seen.revision }, { $set: set, $inc: { revision: 1 } });
    return changed && { ...changed, _id: seen._id };
  }

  async setGate(
    scope: OrganisationScope,
    id: ChatbotId,
    gate: NonNullable<ChatbotRow['gate']> | null,
    tx: Transaction,
  ): Promise<void> {
    await this.chatbots.within(scope, tx).update({ _id: { $in: keptIdsOf(scope.orgId, id) } }, { $set: { gate } });
  }

  /** False when it is gone already. */
  delete(scope: OrganisationScope, id: ChatbotId, tx: Transaction): Promise<boolean> {
    return this.chatbots.within(scope, tx).delete({ _id: id });
  }

  addVersion(scope: OrganisationScope, chatbotId: ChatbotId, published: Published, tx: Transaction): Promise<void> {
    const [_id] = versionIdsOf(scope, { id: chatbotId, version: published.version });
    return this.versions.within(scope, tx).insert({ _id, orgId: scope.orgId, chatbotId, ...published });
  }

  /** Newest first. */
  listVersions(scope: OrganisationScope, chatbotId: ChatbotId, query: PageQuery): Promise<Page<ChatbotVersion>> {
    return this.versions.within(scope).page(query, { by: { version: -1 }, where: { chatbotId }, to: toVersion });
  }

  /** What a version says; without one, as answers had it before there were chatbots. */
  async content(scope: OrganisationScope, ref: ChatbotVersionRef | null): Promise<ChatbotContent> {
    if (ref === null || ref.version === 0) return defaultChatbot(scope.orgId).draft;
    const ids = versionIdsOf(scope, ref);
    const key = `${scope.orgId}/${ids[0]}`;
    const known = this.contents.get(key);
    if (known) return known;
    const found = await this.versions.within(scope).findOne({ _id: { $in: ids } });
    if (!found) throw new Error(`No version ${ids[0]} of a chatbot that has answered.`);
    const content = asToday(found.content);
    this.contents.set(key, content);
    return content;
  }
}

/** As others know it. */
const asNamed = (row: ChatbotRow): ChatbotRow =>
  rowAsToday(row.isDefault ? { ...row, _id: defaultIdOf(row.orgId) } : row);

/** Under which ids the row of a version can be, as `keptIdsOf`. */
function versionIdsOf(
  { orgId }: OrganisationScope,
  { id, version }: ChatbotVersionRef,
): readonly [string, ...string[]] {
  const [current, ...earlier] = keptIdsOf(orgId, id);
  return [`${current}/${version}`, ...earlier.map((kept) => `${kept}/${version}`)];
}
