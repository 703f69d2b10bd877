import { Injectable } from '@nestjs/common';
import {
  assumedContextTokens,
  type AskedFile,
  type ChatFile,
  type FileId,
  type MessageFile,
  type Model,
  type WaitingFile,
} from '@parley/contracts';
import { haveRoom } from '@parley/contracts/prompt-budget';
import { imageTokens } from '@parley/contracts/image-tokens';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Problem, type UserId } from '@parley/protocol';
import type { Owner, Viewer } from '../../conversations/index.ts';
import type { FileRow } from './file.collection.ts';
import { isImage, keepUnusedMs, toFile, toMessageFile } from './file.ts';
import { FilesRepository } from './files.repository.ts';

type Reader = Pick<Model, 'context' | 'images'>;

/** Attaches files to what refers to them, and says when something lets go. */
@Injectable()
export class FileUses {
  constructor(
    private readonly files: FilesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The viewer's files as a question has them. Throws `chat.file-not-found`, `chat.file-not-ready` or
   * `chat.file-unreadable`.
   */
  async waiting({ scope, principal }: Viewer, asked: readonly AskedFile[]): Promise<WaitingFile[]> {
    return (await this.ready({ scope, principal }, asked)).map(({ row, use }) => toMessageFile(row, usedAs(row, use)));
  }

  /**
   * As `waiting`, with what is done with each: in their order they are read in full as long as there is room for all of
   * them together and their images, the others are searched.
   */
  async resolve(
    { scope, principal }: Viewer,
    { asked, model }: { readonly asked: readonly AskedFile[]; readonly model: Reader },
  ): Promise<MessageFile[]> {
    const ready = await this.ready({ scope, principal }, asked);
    const fits = haveRoom(
      ready.map(({ row, use }) =>
        isImage(row)
          ? { as: 'image', tokens: tokensOfImage(row, model), bytes: row.textBytes }
          : { as: use === 'searched' ? null : 'whole', tokens: row.tokens },
      ),
      model.context?.tokens ?? assumedContextTokens,
    );
    return ready.map(({ row }, at) => toMessageFile(row, isImage(row) ? 'image' : fits[at] ? 'whole' : 'searched'));
  }

  /** Returns the files that exist and belong to this person, in the order of the ids. */
  async list({ scope, principal }: Owner, ids: readonly FileId[], tx?: Transaction): Promise<ChatFile[]> {
    if (ids.length === 0) return [];
    const rows = await this.files.findOwn(scope, principal.userId, ids, tx);
    const byId = new Map(rows.map((row) => [row._id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []).map(toFile);
  }

  /** Returns the files that can be searched now, without those that are still being read or are gone. */
  async searchable(scope: OrganisationScope, ids: readonly FileId[]): Promise<Pick<MessageFile, 'id' | 'name'>[]> {
    if (ids.length === 0) return [];
    const rows = await this.files.findMany(scope, ids);
    return rows.filter(({ status }) => status === 'ready').map(({ _id: id, name }) => ({ id, name }));
  }

  /** In the transaction in which something of their owner refers to them. */
  async hold(
    scope: OrganisationScope,
    { userId, ids }: { readonly userId: UserId; readonly ids: readonly FileId[] },
    tx: Transaction,
  ): Promise<void> {
    if (ids.length === 0) return;
    if ((await this.files.touch(scope, { ids, userId }, tx)) < ids.length) throw new Problem('chat.file-not-found');
  }

  /** As `hold`; returns those that the viewer has, and leaves out the others. */
  async holdOwn({ scope, principal }: Viewer, ids: readonly FileId[], tx: Transaction): Promise<FileId[]> {
    if (ids.length === 0) return [];
    const { userId } = principal;
    const own = new Set((await this.files.findOwn(scope, userId, ids, tx)).map(({ _id }) => _id));
    const held = ids.filter((id) => own.has(id));
    await this.files.touch(scope, { ids: held, userId }, tx);
    return held;
  }

  /** Call in the transaction that copies messages. Holds anybody's files and returns those that are still there. */
  async holdThere(scope: OrganisationScope, ids: readonly FileId[], tx: Transaction): Promise<ReadonlySet<FileId>> {
    if (ids.length === 0) return new Set();
    const there = (await this.files.findMany(scope, [...new Set(ids)], tx)).map(({ _id }) => _id);
    await this.files.touch(scope, { ids: there }, tx);
    return new Set(there);
  }

  /** In the transaction in which something refers to them no longer: they are erased soon unless something else does. */
  async letGo(scope: OrganisationScope, ids: readonly FileId[], tx: Transaction): Promise<void> {
    await this.files.setCheckAt(scope, [...new Set(ids)], this.clock.now(), tx);
  }

  /** As `letGo`, where a person may put them back: they stay for a day. */
  async letGoLater(scope: OrganisationScope, ids: readonly FileId[], tx: Transaction): Promise<void> {
    const until = new Date(this.clock.now().getTime() + keepUnusedMs);
    await this.files.setCheckAt(scope, [...new Set(ids)], until, tx);
  }

  private async ready<One extends Pick<AskedFile, 'id'>>(
    { scope, principal }: Viewer,
    asked: readonly One[],
  ): Promise<(Omit<One, 'id'> & { readonly row: FileRow })[]> {
    const ids = asked.map(({ id }) => id);
    const rows = await this.files.findOwn(scope, principal.userId, ids);
    const byId = new Map(rows.map((row) => [row._id, row]));
    return asked.map(({ id, ...one }) => {
      const row = byId.get(id);
      if (!row) throw new Problem('chat.file-not-found');
      if (row.status === 'failed') throw new Problem('chat.file-unreadable');
      if (row.status !== 'ready') throw new Problem('chat.file-not-ready');
      return { ...one, row };
    });
  }
}

/** An image is seen whatever was asked, and nothing else is. */
function usedAs(row: FileRow, asked: WaitingFile['use']): WaitingFile['use'] {
  if (isImage(row)) return 'image';
  return asked === 'image' ? 'auto' : asked;
}

/** Returns the tokens of an image; null for a model that doesn't accept images. */
const tokensOfImage = ({ image }: FileRow, { images }: Reader): number | null =>
  image && images && images.accepts !== 'no' ? imageTokens(image) : null;
