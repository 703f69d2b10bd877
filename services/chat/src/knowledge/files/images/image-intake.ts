import { Injectable } from '@nestjs/common';
import { imageEndings, type MessageFile } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { Flows, TurnQueue } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import { Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { Readable } from 'node:stream';
import type { Viewer } from '../../../conversations/index.ts';
import { StorageQuota } from '../../documents/index.ts';
import { FileUses } from '../file-uses.ts';
import type { FileRow } from '../file.collection.ts';
import { blobKey, newFile, seenKey, toMessageFile } from '../file.ts';
import { FilesRepository } from '../files.repository.ts';
import { decodeImage, mostImageBytes, type NoImage, type SeenImage } from './image-decoder.ts';

/** Shorter than for uploads: requests of others wait for it. */
const decoderTimeoutMs = 10_000;
/** So long the images of one request take at most, with the wait for their turns. */
const patienceMs = 120_000;
/** By then the images that wait are fewer, where others come as well. */
const busySeconds = 10;
/** A file whose process was killed before something referred to it stays so long: longer than storing takes. */
const keepUnheldMs = 3_600_000;

/** An image as it was sent with a request. What its content is decides, not its media type. */
export type GivenImage = { readonly mediaType: string; readonly content: Buffer };

/**
 * Stores images that came within a request: decoded at once, one after the other, each in its own limited process as an
 * upload's. A process decodes one at a time in this way, beside the two files that its readers read.
 */
@Injectable()
export class ImageIntake {
  private readonly decoding = new TurnQueue({ all: 1 });

  constructor(
    private readonly files: FilesRepository,
    private readonly quota: StorageQuota,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly flows: Flows,
    private readonly uses: FileUses,
  ) {}

  /**
   * The images as files of the viewer that are ready; something has to hold them within the hour. Throws
   * `chat.image-too-large`, `chat.file-unreadable`, `chat.storage-quota-reached`, or `platform.unavailable` where too
   * many wait; then none of them stays.
   */
  async store(viewer: Viewer, given: readonly GivenImage[], gone: AbortSignal): Promise<MessageFile[]> {
    if (given.length === 0) return [];
    const signal = AbortSignal.any([gone, AbortSignal.timeout(patienceMs)]);
    const stored: MessageFile[] = [];
    try {
      for (const image of given) stored.push(await this.storeOne(viewer, { image, nth: stored.length + 1, signal }));
      return stored;
    } catch (error) {
      await this.letGo(viewer, stored).catch(() => undefined);
      throw signal.aborted ? tooLate(gone) : error;
    }
  }

  /** They are erased soon unless something holds them. */
  async letGo({ scope, principal }: Viewer, files: readonly MessageFile[]): Promise<void> {
    if (files.length === 0) return;
    const ids = files.map(({ id }) => id);
    await this.work.run(principal, (tx) => this.uses.letGo(scope, ids, tx));
  }

  private async storeOne(
    viewer: Viewer,
    { image, nth, signal }: { readonly image: GivenImage; readonly nth: number; readonly signal: AbortSignal },
  ): Promise<MessageFile> {
    const { scope, principal } = viewer;
    const { content } = image;
    const key = this.flows.keyOf(scope.orgId, principal.userId);
    await this.quota.check(scope, content.length);
    const decode = () => decodeImage(Readable.from([content]), { timeoutMs: decoderTimeoutMs, signal });
    const seen = await this.decoding.run(key, decode, signal);
    if ('failure' in seen) throw problemOf(seen, nth);
    const row = this.rowOf(viewer, { image, nth, seen });
    await this.quota.check(scope, content.length + seen.jpeg.length);
    await this.quota.storeAll(scope, {
      keys: [blobKey(row), seenKey(row)],
      put: async () => {
        await this.blobs.put(blobKey(row), Readable.from([content]), { maxBytes: content.length });
        await this.blobs.put(seenKey(row), Readable.from([seen.jpeg]), { maxBytes: mostImageBytes });
        return content.length + seen.jpeg.length;
      },
      keep: (settle) =>
        this.work.run(principal, async (tx) => {
          await settle(tx);
          await this.files.create(scope, row, tx);
        }),
    });
    return toMessageFile(row, 'image');
  }

  private rowOf({ scope, principal }: Viewer, { image, nth, seen }: Read): FileRow {
    const now = this.clock.now();
    const [ending, mediaType] = Object.entries(imageEndings).find(([, type]) => type === image.mediaType)!;
    const { width, height, jpeg } = seen;
    const file = { orgId: scope.orgId, userId: principal.userId, name: `image-${nth}.${ending}`, mediaType };
    return {
      ...newFile({ id: newId('file'), bytes: image.content.length, ...file }, now),
      status: 'ready',
      image: { width, height },
      textBytes: jpeg.length,
      checkAt: new Date(now.getTime() + keepUnheldMs),
    };
  }
}

type Read = { readonly image: GivenImage; readonly nth: number; readonly seen: SeenImage };

const tooLate = (gone: AbortSignal): Problem =>
  gone.aborted
    ? new Problem('chat.answer-stopped', { detail: 'The caller left before its images were read.' })
    : new Problem('platform.unavailable', {
        detail: 'Too many images wait to be read. Try again later.',
        retryAfterSeconds: busySeconds,
      });

/** Why the nth image of a request is none that can be stored. */
export function problemOf({ failure }: NoImage, nth: number): Problem {
  if (failure === 'image-too-large' || failure === 'took-too-much-memory')
    return new Problem('chat.image-too-large', {
      detail: `Image ${nth} of the request has more than 100 megapixels, or needs too much memory. Make it smaller.`,
    });
  if (failure === 'took-too-long')
    return new Problem('platform.unavailable', {
      detail: `Image ${nth} of the request took too long to read. Try again later, or make it smaller.`,
      retryAfterSeconds: busySeconds,
    });
  return new Problem('chat.file-unreadable', {
    detail: `Image ${nth} of the request is no whole PNG, JPEG, WebP, GIF or AVIF. Check it and send it again.`,
  });
}
