import { Injectable } from '@nestjs/common';
import {
  limits,
  mostFiles,
  mostOtherDrafts,
  projectId,
  type ConversationId,
  type ProjectId,
  type Draft,
  type FileId,
  type dropDraft,
  type getDraft,
  type saveDraft,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type UserId } from '@parley/protocol';
import { ConversationAccess, type Viewer } from './access.ts';
import { draftRows, type DraftRow } from './draft.collection.ts';
import { ProjectAccess } from './project-access.ts';
import type { ProjectRow } from './project.collection.ts';

type Where = InputOf<typeof getDraft>['params']['where'];
/** The most attempts to save a draft: a device that loses to others each time gets a conflict. */
const mostTries = 5;

/** Protects the files of drafts from erasure. The files feature provides it. */
type FileKeeper = {
  /**
   * Protects files for a draft, in the transaction that adds them. Returns those files that belong to the draft's
   * person.
   */
  readonly hold: (viewer: Viewer, ids: readonly FileId[], tx: Transaction) => Promise<FileId[]>;
  /** Ends the protection of files, in the transaction that removes them from a draft. */
  readonly letGo: (scope: OrganisationScope, ids: readonly FileId[], tx: Transaction) => Promise<void>;
};

/** Stores unsent text of people, the same on all of their devices. */
@Injectable()
export class DraftsService {
  private readonly rows: Rows<typeof draftRows>;
  private files: FileKeeper = { hold: async () => [], letGo: async () => undefined };

  constructor(
    mongo: Mongo,
    private readonly access: ConversationAccess,
    private readonly projects: ProjectAccess,
    private readonly clock: Clock,
    private readonly work: Work,
  ) {
    this.rows = mongo.rows(draftRows);
  }

  keepFilesBy(keeper: FileKeeper): void {
    this.files = keeper;
  }

  async read(input: InputOf<typeof getDraft>): Promise<Draft> {
    const { where } = input.params;
    const conversation = isChat(where) ? await this.access.find(input, where) : null;
    const isThere = !isChat(where) || (conversation !== null && !conversation.isDeleted);
    return toDraft(isThere ? await this.rows.within(input.scope).findById(idOf(input, where)) : null);
  }

  async save(input: InputOf<typeof saveDraft>): Promise<Draft> {
    const { scope, params, body } = input;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const known = await this.find(input, params.where);
      if (isThere(known, body)) return toDraft(known);
      const next = this.next(input, known);
      const isOfOthers = filesOf(known).join() !== filesOf(next).join();
      const saved = isOfOthers
        ? await this.work.run(input.principal, (tx) => this.storeWithFiles(input, { known, next }, tx))
        : await this.store(scope, { known, next });
      if (saved) return toDraft(saved);
    }
    throw new Problem('platform.conflict', { detail: 'Several devices write this draft at the same time.' });
  }

  async drop(input: InputOf<typeof dropDraft>): Promise<void> {
    const { scope, principal, params } = input;
    const known = await this.find(input, params.where);
    if (!known) return;
    // Keep the row: a device with an old revision must not find the same number again.
    const dropped = { text: '', others: [], changedAt: this.clock.now() };
    const change = { $set: dropped, $inc: { revision: 1 } };
    if (filesOf(known).length === 0) return void (await this.rows.within(scope).change({ _id: known._id }, change));
    await this.work.run(principal, async (tx) => {
      const rows = this.rows.within(scope, tx);
      const files = filesOf(await rows.findById(known._id));
      await rows.change({ _id: known._id }, { ...change, $set: { ...dropped, files: [] } });
      await this.files.letGo(scope, files, tx);
    });
  }

  /** Returns queued texts to the draft: as its text if that is empty, otherwise as other texts. Joins short texts. */
  async giveBack(
    scope: OrganisationScope,
    {
      userId,
      conversationId,
      texts,
      files = [],
    }: {
      readonly userId: UserId;
      readonly conversationId: ConversationId;
      readonly texts: readonly string[];
      /** The files of the returned questions. Releases files that don't fit into the draft. */
      readonly files?: readonly FileId[];
    },
    tx: Transaction,
  ): Promise<void> {
    if (texts.length === 0 && files.length === 0) return;
    const rows = this.rows.within(scope, tx);
    const _id = `${userId}/${conversationId}`;
    const now = this.clock.now();
    const nothing = { text: '', revision: 0, others: [], changedAt: now, writer: null };
    const { row } = await rows.insertOnce({ _id, orgId: scope.orgId, userId, conversationId, ...nothing });
    const back = joined(texts);
    const all = [...new Set([...filesOf(row), ...files])];
    const kept = all.slice(0, mostFiles);
    await this.files.letGo(scope, all.slice(mostFiles), tx);
    // Set no writer: no page wrote this text, so no page may overwrite it as its own.
    const draft = row.text.trim() === '' ? { text: back.shift() ?? '', writer: null } : { text: row.text };
    const others = [...back.map((each) => ({ text: each, at: now })), ...row.others].slice(0, mostOtherDrafts);
    const set = { ...draft, others, changedAt: now, ...(files.length > 0 && { files: kept }) };
    await rows.change({ _id }, { $set: set, $inc: { revision: 1 } });
  }

  /** Erases the draft of a project in the transaction that erases the project, and releases the files of both. */
  async eraseWith(
    scope: OrganisationScope,
    { _id: id, ownerId, files = [] }: Pick<ProjectRow, '_id' | 'ownerId' | 'files'>,
    tx: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const _id = `${ownerId}/${id}`;
    await this.files.letGo(scope, [...files, ...filesOf(await rows.findById(_id))], tx);
    await rows.delete({ _id });
  }

  private next(input: InputOf<typeof saveDraft>, known: DraftRow | null): DraftRow {
    const { scope, principal, params, body } = input;
    const now = this.clock.now();
    return {
      _id: idOf(input, params.where),
      orgId: scope.orgId,
      userId: principal.userId,
      conversationId: isChat(params.where) ? params.where : null,
      text: body.text,
      revision: (known?.revision ?? 0) + 1,
      others: othersBeside(body, known, now),
      changedAt: now,
      writer: body.writer ?? null,
      ...withFiles(filesBeside(body, known)),
    };
  }

  /** Stores a draft; returns null if another device was faster. */
  private async store(
    scope: OrganisationScope,
    { known, next }: { readonly known: DraftRow | null; readonly next: DraftRow },
    tx?: Transaction,
  ): Promise<DraftRow | null> {
    if (!known) return (await this.insert(scope, next, tx)) ? next : null;
    const { _id, revision } = known;
    const { text, others, changedAt, writer, files, revision: newRevision } = next;
    const set = { text, others, changedAt, writer, revision: newRevision, ...(files && { files }) };
    return this.rows.within(scope, tx).change({ _id, revision }, { $set: set });
  }

  private async storeWithFiles(
    viewer: Viewer,
    { known, next }: { readonly known: DraftRow | null; readonly next: DraftRow },
    tx: Transaction,
  ): Promise<DraftRow | null> {
    const held = await this.files.hold(viewer, filesOf(next), tx);
    const saved = await this.store(viewer.scope, { known, next: { ...next, files: held } }, tx);
    if (saved)
      await this.files.letGo(
        viewer.scope,
        filesOf(known).filter((id) => !held.includes(id)),
        tx,
      );
    return saved;
  }

  /** Creates a draft; returns false if another device has just created it. */
  private async insert(scope: OrganisationScope, row: DraftRow, tx?: Transaction): Promise<boolean> {
    if (tx) return (await this.rows.within(scope, tx).insertOnce(row)).isNew;
    try {
      await this.rows.within(scope).insert(row);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private async find(viewer: Viewer, where: Where): Promise<DraftRow | null> {
    await this.assertOwn(viewer, where);
    return this.rows.within(viewer.scope).findById(idOf(viewer, where));
  }

  /**
   * Throws `chat.conversation-not-found` or `chat.project-not-found` if the viewer can't see the conversation or
   * project.
   */
  private async assertOwn(viewer: Viewer, where: Where): Promise<void> {
    if (isChat(where)) await this.access.read(viewer, where);
    else if (where !== 'new') await this.projects.read(viewer, where);
  }
}

type Typed = InputOf<typeof saveDraft>['body'];
type Others = DraftRow['others'];

const isOwn = (known: DraftRow, { writer }: Typed): boolean => writer !== undefined && known.writer === writer;

/** Returns true if nothing must be written: the draft has these values, or an empty text would replace a newer one. */
function isThere(known: DraftRow | null, typed: Typed): boolean {
  const { text, revision, others, files } = typed;
  if (!known) return text === '' && !files?.length;
  if (text === '' && !files?.length && known.revision !== revision && !isOwn(known, typed)) return true;
  if (files && files.join() !== filesOf(known).join()) return false;
  return known.text === text && (!others || others.join('\n') === known.others.map((one) => one.text).join('\n'));
}

/** Returns texts of other devices, to keep beside the typed text. */
function othersBeside(typed: Typed, known: DraftRow | null, now: Date): Others {
  if (!known) return [];
  const { text, revision, others } = typed;
  const newest = isOwn(known, typed) ? [] : [{ text: known.text, at: known.changedAt }];
  // Keep the newest text and the others: the typed text is based on an old revision, so its writer hasn't seen them.
  const unseen = known.revision === revision ? [] : [...newest, ...known.others];
  const atOf = new Map(known.others.map((one) => [one.text, one.at]));
  const kept = others ? others.map((one) => ({ text: one, at: atOf.get(one) ?? now })) : known.others;
  const byText = new Map([...unseen, ...kept].reverse().map((one) => [one.text, one]));
  return [...byText.values()]
    .reverse()
    .filter((one) => one.text !== '' && one.text !== text)
    .slice(0, mostOtherDrafts);
}

const filesOf = (row: Pick<DraftRow, 'files'> | null): FileId[] => row?.files ?? [];
const withFiles = (files: FileId[] | undefined) => (files ? { files } : {});

/** Returns the draft's new files. With an old revision, keeps files that the writer hasn't seen. */
function filesBeside({ files, revision, ...typed }: Typed, known: DraftRow | null): FileId[] | undefined {
  if (!files) return known?.files;
  const isUnseen = known !== null && known.revision !== revision && !isOwn(known, { files, revision, ...typed });
  return [...new Set([...files, ...(isUnseen ? filesOf(known) : [])])].slice(0, mostFiles);
}

const isChat = (where: Where): where is ConversationId => where !== 'new' && !isProject(where);
const isProject = (where: Where): where is ProjectId => projectId.safeParse(where).success;
/** A project's draft has no conversation either, so its key is the project. */
const idOf = ({ scope, principal }: Viewer, where: Where): string =>
  `${principal.userId}/${where === 'new' ? scope.orgId : where}`;

/** Joins texts in order, with a blank line between, to as few texts as the limits allow. */
function joined(texts: readonly string[]): string[] {
  const whole: string[] = [];
  for (const text of texts) {
    const longer = [...whole.slice(-1), text].join('\n\n');
    if (whole.length > 0 && longer.length <= limits.messageCharacters) whole[whole.length - 1] = longer;
    else whole.push(text);
  }
  return whole;
}

const toDraft = (row: DraftRow | null): Draft => ({
  text: row?.text ?? '',
  revision: row?.revision ?? 0,
  others: (row?.others ?? []).map(({ text, at }) => ({ text, at: at.toISOString() })),
  ...(row?.files?.length && { files: row.files }),
});
