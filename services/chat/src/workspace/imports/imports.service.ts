import { Injectable } from '@nestjs/common';
import {
  importsChanged,
  type ChatImport,
  type ConversationId,
  type checkImport,
  type createImport,
  type deleteImport,
  type deleteImportedChats,
  type getImport,
  type ImportId,
  type ImportStatus,
  type listImportLosses,
  type listImports,
  type pauseImport,
  type restoreImportedChats,
  type resumeImport,
  type startImport,
  type stopImport,
  type uploadImportPart,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ImportedConversations, type Viewer } from '../../conversations/index.ts';
import { messageIdOf } from './chat-plan.ts';
import { AllChats } from './all-chats.ts';
import { MessageIds } from './message-ids.ts';
import type { ImportRow } from './import.collection.ts';
import { isComplete, isRepeatable, toImport, toldOf } from './import.ts';
import { importChats } from './import-job.ts';
import { ImportLosses } from './import-losses.ts';
import { ImportedChats } from './imported-chats.ts';
import { ImportsRepository, type Change } from './imports.repository.ts';
import { Uploads } from './uploads.ts';

type Move = {
  readonly from: readonly ImportStatus[];
  /** In these it has happened already. */
  readonly after: readonly ImportStatus[];
  readonly set: Change;
};

/** Imports of a person, for this person only. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly uploads: Uploads,
    private readonly losses: ImportLosses,
    private readonly chats: ImportedChats,
    private readonly ids: MessageIds,
    private readonly imported: ImportedConversations,
    private readonly all: AllChats,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async create(input: InputOf<typeof createImport>): Promise<ChatImport> {
    return toImport(await this.uploads.begin(input, input.body));
  }

  async uploadPart(input: InputOf<typeof uploadImportPart>): Promise<void> {
    const { params, request } = input;
    await this.uploads.put(input, await this.own(input, params.importId), params, request);
  }

  async list({ scope, principal, query }: InputOf<typeof listImports>): Promise<ResponseOf<typeof listImports>> {
    const page = await this.imports.list(scope, { userId: principal.userId, query, to: toImport });
    return { ...page, mostBytes: this.uploads.mostBytes };
  }

  async read(input: InputOf<typeof getImport>): Promise<ResponseOf<typeof getImport>> {
    const row = await this.own(input, input.params.importId);
    return { ...toImport(row), here: await this.imported.count(input.scope, { ownerId: row.userId }, row._id) };
  }

  async listLosses(input: InputOf<typeof listImportLosses>): Promise<ResponseOf<typeof listImportLosses>> {
    const { scope, principal, params, query } = input;
    const { source } = await this.own(input, params.importId);
    const page = await this.losses.list(scope, { importId: params.importId, query });
    const chats = [...new Set(page.items.flatMap(({ chat }) => chat ?? []))];
    const whose = source && { userId: principal.userId, source };
    const known = whose ? await this.chats.conversationsOf(scope, whose, chats) : new Map<string, never>();
    const named = page.items.map(async ({ chatTitle, reason, name, chat, message }) => {
      const conversationId = (chat === null ? null : known.get(chat)) ?? null;
      const idOf = async (id: ConversationId, source: string) =>
        messageIdOf(await this.ids.in(scope, id, [source]), source);
      const messageId = conversationId && message !== null ? await idOf(conversationId, message) : null;
      return { chatTitle, reason, name, conversationId, messageId };
    });
    return { ...page, items: await Promise.all(named) };
  }

  async check(input: InputOf<typeof checkImport>): Promise<ChatImport> {
    const { params } = input;
    const row = await this.own(input, params.importId);
    if (row.status === 'uploading' && !isComplete(row))
      throw new Problem('chat.import-incomplete', { current: toImport(row) });
    const set = { status: 'checking', failure: null, isSettling: false, at: 0, ...this.wanted() } as const;
    // Also once more, for what is here may have changed since.
    const from: readonly ImportStatus[] = [
      'uploading',
      'checked',
      ...(isRepeatable(row) ? ([row.status] as const) : []),
    ];
    return this.move(input, params.importId, { from, after: ['checking'], set });
  }

  async start(input: InputOf<typeof startImport>): Promise<ChatImport> {
    const { principal, params, body } = input;
    const row = await this.own(input, params.importId);
    const isRepeated = row.isStarted && isRepeatable(row);
    const person = { userName: principal.name, groupIds: [...(principal.organisation.groupIds ?? [])] };
    const set = {
      status: 'importing',
      failure: null,
      isStarted: true,
      isAgain: body.again || (isRepeated && row.isAgain),
      ...(body.projects && { wantedProjects: body.projects }),
      isSettling: false,
      at: 0,
      filesAt: 0,
      ...person,
      ...this.wanted(),
    } as const;
    return this.move(input, params.importId, {
      from: isRepeated ? ['failed'] : ['checked'],
      after: ['importing', 'paused', 'done'],
      set,
    });
  }

  pause(input: InputOf<typeof pauseImport>): Promise<ChatImport> {
    const set = { status: 'paused', isWanted: false } as const;
    return this.move(input, input.params.importId, { from: ['importing'], after: ['paused', 'done'], set });
  }

  resume(input: InputOf<typeof resumeImport>): Promise<ChatImport> {
    const set = { status: 'importing', failure: null, ...this.wanted() } as const;
    return this.move(input, input.params.importId, { from: ['paused'], after: ['importing', 'done'], set });
  }

  async stop(input: InputOf<typeof stopImport>): Promise<ChatImport> {
    const set = { status: 'stopped', isWanted: false, isSettling: true } as const;
    const from: readonly ImportStatus[] = ['uploading', 'checking', 'checked', 'importing', 'paused'];
    const stopped = await this.move(input, input.params.importId, { from, after: ['done', 'stopped', 'failed'], set });
    const row = await this.own(input, input.params.importId);
    if (row.isSettling) await this.uploads.settle(input.scope, row);
    return row.isSettling ? toImport(await this.own(input, input.params.importId)) : stopped;
  }

  /** The job that deletes or restores its chats needs its row. */
  async delete(input: InputOf<typeof deleteImport>): Promise<void> {
    const row = await this.own(input, input.params.importId);
    if (row.chats && row.chats.state !== 'deleted') throw new Problem('platform.conflict', { current: toImport(row) });
    await this.uploads.drop(input.scope, row);
  }

  deleteChats(input: InputOf<typeof deleteImportedChats>): Promise<ChatImport> {
    return this.all.delete(input, input.params.importId);
  }

  restoreChats(input: InputOf<typeof restoreImportedChats>): Promise<ChatImport> {
    return this.all.restore(input, input.params.importId);
  }

  private own({ scope, principal }: Viewer, id: ImportId): Promise<ImportRow> {
    return this.imports.own(scope, { id, userId: principal.userId });
  }

  /** `platform.conflict` where it is in none of these states. */
  private async move({ scope, principal }: Viewer, id: ImportId, { from, after, set }: Move): Promise<ChatImport> {
    const { userId } = principal;
    return this.work.run(principal, async (tx) => {
      const row = await this.imports.own(scope, { id, userId }, tx);
      if (after.includes(row.status)) return toImport(row);
      if (!from.includes(row.status)) throw new Problem('platform.conflict', { current: toImport(row) });
      const changed = await this.imports.change(scope, { id, where: { status: row.status }, set }, tx);
      if (!changed) throw new Problem('platform.conflict', { current: toImport(row) });
      if (set.isWanted) tx.queue(importChats, { importId: id, orgId: scope.orgId, userId });
      tx.record(importsChanged, toldOf(changed));
      return toImport(changed);
    });
  }

  private wanted() {
    const now = this.clock.now();
    return { isWanted: true, wantedAt: now } as const;
  }
}
