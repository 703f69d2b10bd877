import { Injectable } from '@nestjs/common';
import type { ReadChat } from '@parley/chat-exports';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Additions } from './additions.ts';
import { branchesIn, draftsOf, type Drafted } from './chat-plan.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportLosses } from './import-losses.ts';
import { bytesOf, ImportedChats, type ChatState } from './imported-chats.ts';
import { ImportsRepository } from './imports.repository.ts';
import { MessageFiles } from './message-files.ts';
import { MessageIds } from './message-ids.ts';
import type { Importing } from './new-chats.ts';

/** Of one transaction; a question and its answers are never apart. */
const messagesPerBatch = 20;
const importing = job('adds imported messages');

type Grown = Extract<ChatState, { kind: 'grown' }>;
type Growing = Importing & { readonly chat: ReadChat; readonly state: Grown };

/**
 * Adds what is new in a chat that was imported before, as branches under the messages that it follows. Each transaction
 * adds whole turns, so that a question is never seen without its answer; what follows from a message that was deleted
 * here is left out.
 */
@Injectable()
export class GrownChats {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly chats: ImportedChats,
    private readonly losses: ImportLosses,
    private readonly files: MessageFiles,
    private readonly additions: Additions,
    private readonly ids: MessageIds,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async write(
    scope: OrganisationScope,
    importing: Importing,
    { chat, state, signal }: { readonly chat: ReadChat; readonly state: Grown; readonly signal: AbortSignal },
  ): Promise<ImportRow> {
    const growing: Growing = { ...importing, chat, state };
    const batches = await this.batchesOf(scope, growing);
    if (batches.length > 0) await this.additions.keepPlace(scope, state.conversation);
    let row = importing.row;
    let hashes = bytesOf(state.row);
    for (const some of batches) {
      signal.throwIfAborted();
      const added = await this.add(scope, { ...growing, row }, { some, hashes });
      ({ row, hashes } = added);
    }
    return this.finish(scope, { ...growing, row }, batches.flat());
  }

  private async batchesOf(scope: OrganisationScope, { chat, state }: Growing): Promise<Drafted[][]> {
    const sources = chat.messages.map(({ sourceId }) => sourceId);
    const ids = await this.ids.in(scope, state.conversation._id, sources);
    const added = chat.messages.filter(({ sourceId }) => state.isNew(sourceId));
    const drafted = draftsOf(added, { chat, ids, now: this.clock.now() });
    const reached = await this.additions.parentsOf(scope, state.conversation, drafted);
    return turnsIn(drafted, reached);
  }

  private async add(
    scope: OrganisationScope,
    { row, source, chatbots, chat, state, at }: Growing,
    { some, hashes }: { readonly some: readonly Drafted[]; readonly hashes: Buffer },
  ): Promise<{ row: ImportRow; hashes: Buffer }> {
    const given = await this.files.store(scope, row, some);
    return this.work.run(importing, async (tx) => {
      const held = await this.imports.hold(scope, row, {}, tx);
      const writing = { row, source, chatbots, conversation: state.conversation, files: given.files };
      const placed = await this.additions.place(scope, writing, some, tx);
      const losses = [...given.losses, ...placed.losses];
      const sources = some.flatMap(({ sourceId }) => sourceId ?? []);
      const known = { chat: chat.sourceId, messages: sources, before: hashes };
      const whose = { userId: row.userId, source };
      const after = await this.chats.note(scope, whose, known, tx);
      const lost = { at, title: state.conversation.title, chat: chat.sourceId, losses, by: 'import' } as const;
      await this.losses.add(scope, held, lost, tx);
      const imported = {
        ...held.imported,
        messages: held.imported.messages + placed.written.filter(({ sourceId }) => sourceId !== null).length,
        files: held.imported.files + [...given.files.values()].flat().length,
      };
      const set = { imported, losses: held.losses + losses.length };
      return { row: await this.imports.hold(scope, row, set, tx), hashes: after };
    });
  }

  /** One event for all that was added. */
  private async finish(scope: OrganisationScope, { row, state, at, chat }: Growing, added: readonly Drafted[]) {
    return this.work.run(importing, async (tx) => {
      const held = await this.imports.hold(scope, row, {}, tx);
      if (added.length > 0) await this.additions.tell(scope, state.conversation, tx);
      const old = chat.messages.filter(({ sourceId }) => !state.isNew(sourceId));
      const branches = branchesIn(chat.messages) - branchesIn(old);
      const imported = { ...held.imported, branches: held.imported.branches + Math.max(0, branches) };
      return this.imports.hold(scope, row, { at: at + 1, imported }, tx);
    });
  }
}

/** Questions with their answers, each behind what it follows; only what can be reached from `reached`. */
export function turnsIn(drafted: readonly Drafted[], reached: ReadonlySet<string | null>): Drafted[][] {
  const children = Map.groupBy(drafted, ({ parentId }) => parentId);
  const ids = new Set(drafted.map(({ id }) => id));
  const waiting = drafted
    .filter(({ parentId }) => !(parentId && ids.has(parentId)) && reached.has(parentId))
    .toReversed();
  const batches: Drafted[][] = [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const answers = next.role === 'person' ? (children.get(next.id) ?? []) : [];
    const turn = [next, ...answers];
    const last = batches.at(-1);
    if (last && last.length + turn.length <= messagesPerBatch) last.push(...turn);
    else batches.push(turn);
    const ends = next.role === 'person' ? answers : [next];
    waiting.push(...ends.flatMap(({ id }) => children.get(id) ?? []).toReversed());
  }
  return batches;
}
