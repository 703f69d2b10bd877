import { Injectable } from '@nestjs/common';
import {
  fileIdsIn,
  filesChanged,
  limits,
  type ChatFile,
  type downloadFile,
  type FileId,
  type getFileImage,
  type getFilePassage,
  type listFiles,
  type openFile,
  type readFileText,
  type retryFile,
  type uploadFile,
} from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import type { Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type Download, type ResponseOf } from '@parley/protocol';
import { buffer } from 'node:stream/consumers';
import { ConversationAccess, FileReferences, type Viewer } from '../../conversations/index.ts';
import { cleanName, StorageQuota } from '../documents/index.ts';
import type { FileRow } from './file.collection.ts';
import { FilePassages } from './file-passages.ts';
import { blobKey, keyStart, mediaTypeOf, newFile, seenKey, toFile } from './file.ts';
import { FilesRepository } from './files.repository.ts';

/** Uploads files of chats, and gives them to people who can see a question that has them. */
@Injectable()
export class FilesService {
  constructor(
    private readonly files: FilesRepository,
    private readonly passages: FilePassages,
    private readonly references: FileReferences,
    private readonly access: ConversationAccess,
    private readonly blobs: Blobs,
    private readonly quota: StorageQuota,
    private readonly work: Work,
  ) {}

  /** Durable when it resolves; read soon after. Idempotent: a repeated id returns what was stored. */
  async upload({ scope, principal, query, request }: InputOf<typeof uploadFile>): Promise<ChatFile> {
    const { orgId } = scope;
    const { id } = query;
    const { userId } = principal;
    const mediaType = mediaTypeOf(query.name);
    const known = await this.files.findAny(scope, id);
    // The file of somebody else has to stay as it is: asked before anything is stored.
    if (known) return toFile(ownOf(known, userId));
    const key = keyStart({ _id: id, orgId });
    const groupIds = [...(principal.organisation.groupIds ?? [])];
    const file = { id, orgId, userId, groupIds, name: cleanName(query.name), mediaType };
    const place = { key, replaced: 0, most: limits.chatFileBytes };
    const stored = await this.quota.store(scope, place, request, ({ fileKey, bytes, settle, drop }) =>
      this.work.run(principal, async (tx) => {
        await settle(tx);
        const uploaded = newFile({ ...file, fileKey, bytes }, tx.now);
        const { row, isNew } = await this.files.create(scope, uploaded, tx);
        if (!isNew) {
          await drop(tx, fileKey);
          return ownOf(row, userId);
        }
        recordFile(tx, row);
        return row;
      }),
    );
    return toFile(stored);
  }

  async list({ scope, principal, query }: InputOf<typeof listFiles>): Promise<ResponseOf<typeof listFiles>> {
    const ids = fileIdsIn(query.ids);
    const rows = await this.files.findOwn(scope, principal.userId, ids);
    const byId = new Map(rows.map((row) => [row._id, row]));
    return { items: [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map(toFile) };
  }

  async retry({ scope, principal, params }: InputOf<typeof retryFile>): Promise<ChatFile> {
    const { userId } = principal;
    const id = params.fileId;
    const requeued = await this.work.run(principal, async (tx) => {
      const row = await this.files.requeue(scope, { id, userId }, tx);
      if (row) recordFile(tx, row);
      return row;
    });
    const row = requeued ?? (await this.files.findOwn(scope, userId, [id]))[0];
    if (!row) throw new Problem('chat.file-not-found');
    return toFile(row);
  }

  async open(input: InputOf<typeof openFile>): Promise<ResponseOf<typeof openFile>> {
    const { id, name, mediaType, bytes, createdAt } = toFile(await this.readable(input, input.params.fileId));
    return { id, name, mediaType, bytes, createdAt };
  }

  async text(input: InputOf<typeof readFileText>): Promise<ResponseOf<typeof readFileText>> {
    const { _id, passageCount } = await this.readable(input, input.params.fileId);
    return this.passages.part(input.scope, { fileId: _id, passageCount }, input.query);
  }

  async download(input: InputOf<typeof downloadFile>): Promise<Download> {
    const row = await this.readable(input, input.params.fileId);
    const content = await this.blobs.get(blobKey(row));
    if (!content) throw new Problem('chat.file-not-found');
    return { name: row.name, content };
  }

  /** As models see it: no byte of what was uploaded is shown by a browser. */
  async image(input: InputOf<typeof getFileImage>): Promise<Uint8Array> {
    const row = await this.readable(input, input.params.fileId);
    const content = row.image ? await this.blobs.get(seenKey(row)) : null;
    if (!content) throw new Problem('chat.file-not-found');
    return buffer(content);
  }

  async passage(input: InputOf<typeof getFilePassage>): Promise<ResponseOf<typeof getFilePassage>> {
    const { fileId, chunkId } = input.params;
    const { name } = await this.readable(input, fileId);
    const found = await this.passages.around(input.scope, fileId, chunkId);
    if (!found) throw new Problem('chat.passage-not-found');
    return { fileId, chunkId, name, ...found };
  }

  /** `chat.file-not-found` for people who can't see it. */
  private async readable(viewer: Viewer, id: FileId): Promise<FileRow> {
    const row = await this.files.find(viewer.scope, id);
    if (row && (row.userId === viewer.principal.userId || (await this.isShown(viewer, id)))) return row;
    throw new Problem('chat.file-not-found');
  }

  /** Whether a chat that the viewer can read has a message with it. */
  private async isShown(viewer: Viewer, id: FileId): Promise<boolean> {
    for (const conversationId of await this.references.conversationsWith(viewer.scope, id)) {
      const conversation = await this.access.find(viewer, conversationId);
      if (conversation && !conversation.isDeleted) return true;
    }
    return false;
  }
}

/** Tells its owner's tabs. */
export function recordFile(tx: Transaction, { orgId, userId, _id: fileId, status }: FileRow): void {
  tx.record(filesChanged, { orgId, userId, fileId, status });
}

function ownOf(row: FileRow, userId: string): FileRow {
  if (row.userId === userId && !row.isErasing) return row;
  throw new Problem('platform.conflict', { detail: 'The id was used for something else.' });
}
