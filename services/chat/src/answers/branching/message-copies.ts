import { Injectable } from '@nestjs/common';
import type { FileId } from '@parley/contracts';
import { derivedId } from '@parley/platform/ids';
import type { Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import {
  MessagesRepository,
  searchKeysOf,
  searchScopeOf,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { FileUses } from '../../knowledge/files/index.ts';
import { GenerationsRepository, type Generation } from '../generations/index.ts';
import { copyIdOf, type Copied } from './copy-plan.ts';

/** Copies messages with their answers' generations. The copies refer to the same files. */
@Injectable()
export class MessageCopies {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly uses: FileUses,
    private readonly work: Work,
  ) {}

  /** Copies the messages that the new chat lacks, in one transaction. Idempotent. */
  async make(
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
    const fileIds = [...rows.values()].flatMap(({ files = [] }) => files.map(({ id }) => id));
    await this.work.run(principal, async (tx) => {
      const held = await this.uses.holdThere(scope, fileIds, tx);
      for (const message of missing) {
        const row = rows.get(message.original);
        const generation = row?.generationId ? generations.get(row.generationId) : undefined;
        if (row) await this.copyOne(copy, { message, row: withFiles(row, held), generation }, { scope, tx });
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
    const { author, role, createdAt, orgId, files, imported, isRefused, lengthens } = row;
    const kept = {
      ...(files && { files }),
      ...(imported && { imported }),
      ...(isRefused && { isRefused }),
      ...(lengthens && { lengthens: copyIdOf(copy._id, lengthens) }),
    };
    const said = { role, text, createdAt, author, generationId, ...kept };
    const stored = { _id, orgId, conversationId: copy._id, ...said, ...placed };
    const found = { searchScope: searchScopeOf(copy), searchKeys: searchKeysOf({ role, text, files }) };
    await this.messages.create(scope, [{ ...stored, sequence: message.position + 1, ...found }], tx);
    if (!generation || !generationId || !placed.parentId) return;
    const own = { _id: generationId, conversationId: copy._id, questionId: placed.parentId, answerId: _id };
    // Copy no attempts and no lease: the source has billed the attempts, and no worker continues the copy.
    const ended = { attempts: [], leaseHolder: null, leaseUntil: null, stopRequested: false };
    await this.generations.create(scope, { ...generation, ...own, ...ended }, tx);
  }
}

/** Leaves out files that were erased after their message was read. */
function withFiles({ files, ...row }: MessageRow, there: ReadonlySet<FileId>): MessageRow {
  const kept = files?.filter(({ id }) => there.has(id)) ?? [];
  return kept.length > 0 ? { ...row, files: kept } : row;
}
