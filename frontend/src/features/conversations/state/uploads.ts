import type { ChatFile, FileId } from '@parley/contracts';
import { documentEndings, imageEndings } from '@parley/contracts/names';
import { newId } from '../../../lib/new-id.ts';
import type { Where } from './drafts.ts';
import { imageRefusalOf, isImageName } from './images.ts';
import { largestFileBytes, mostFiles } from './question-limits.ts';

export type UploadRefusal = 'type' | 'heic' | 'image' | 'onlyText' | 'size' | 'empty';

/** A file that is being uploaded to a draft or project, and attached to it once stored. */
export type Upload<Place = Where> = {
  /** Made before sending, so that a repeated upload is harmless. */
  readonly id: FileId;
  readonly where: Place;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'failed' | 'refused';
  /** Of its bytes. */
  readonly share: number;
  /** True for an image, which can be shown while it is sent. */
  readonly isImage: boolean;
  readonly refusal?: UploadRefusal;
  readonly error?: unknown;
};

type Options<Place> = {
  readonly drafts: {
    read(where: Place): { readonly files: readonly unknown[] };
    /** Adds a stored file. `later`: files that were chosen after it, to keep the order. */
    attach(where: Place, id: FileId, later: readonly FileId[]): void;
  };
  /** Returns why a file can't be sent. Missing: accepts all files that a message can have. */
  readonly refuse?: typeof refusalOf;
  readonly send: (
    upload: Upload<Place>,
    onProgress: (share: number) => void,
  ) => { readonly done: Promise<ChatFile>; readonly abort: () => void };
};

/** HEIC is missing, so that a phone converts a chosen photo. */
export const acceptedEndings = Object.keys({ ...imageEndings, ...documentEndings }).map((ending) => `.${ending}`);
const atOnce = 2;
/** The most local images that the page keeps, to show them until the server's are ready. */
const mostPreviews = 2 * mostFiles;

/**
 * Uploads files, two at a time, and attaches them in the order of choosing. Uploads continue on all pages, and end with
 * the tab.
 */
export class Uploads<Place = Where> {
  readonly #options: Options<Place>;
  readonly #watchers = new Set<() => void>();
  readonly #aborts = new Map<FileId, () => void>();
  /** The server's responses, used until the files are read again. */
  readonly stored = new Map<FileId, ChatFile>();
  /** Images as they were chosen, shown until the server has made its own. */
  readonly previews = new Map<FileId, Blob>();
  /** The files in the order of choosing on this page. */
  readonly #chosen: FileId[] = [];
  #all: readonly Upload<Place>[] = [];

  constructor(options: Options<Place>) {
    this.#options = options;
  }

  get all(): readonly Upload<Place>[] {
    return this.#all;
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Adds files, and returns how many were left out, because a message or project can't have more. */
  add(where: Place, files: readonly File[]): number {
    const taken = this.#options.drafts.read(where).files.length + this.#all.filter((one) => one.where === where).length;
    const added = files.slice(0, Math.max(0, mostFiles - taken)).map((file): Upload<Place> => {
      const refusal = (this.#options.refuse ?? refusalOf)(file);
      const state = refusal ? 'refused' : 'waiting';
      const isImage = !refusal && isImageName(file.name);
      return { id: newId('file'), where, file, state, share: 0, isImage, ...(refusal && { refusal }) };
    });
    this.#chosen.push(...added.map(({ id }) => id));
    for (const { id, file, isImage } of added) if (isImage) this.#preview(id, file);
    this.#set([...this.#all, ...added]);
    this.#next();
    return files.length - added.length;
  }

  remove(id: FileId): void {
    this.#aborts.get(id)?.();
    this.previews.delete(id);
    this.#set(this.#all.filter((upload) => upload.id !== id));
  }

  retry(id: FileId): void {
    this.#change(id, { state: 'waiting', share: 0, error: undefined });
    this.#next();
  }

  /** Returns the draft's files and the uploads, in the order that the draft will have them. */
  among<One extends { readonly id: FileId }>(
    files: readonly One[],
    uploads: readonly Upload<Place>[],
  ): (One | Upload<Place>)[] {
    return uploads.reduce<(One | Upload<Place>)[]>(
      (all, upload) => {
        const later = this.#chosenAfter(upload.id);
        const at = all.findIndex(({ id }) => later.includes(id));
        return all.toSpliced(at < 0 ? all.length : at, 0, upload);
      },
      [...files],
    );
  }

  #chosenAfter(id: FileId): FileId[] {
    return this.#chosen.slice(this.#chosen.indexOf(id) + 1);
  }

  /** Keeps a local image to show. Above the limit, drops the oldest images, which the server has processed by then. */
  #preview(id: FileId, file: Blob): void {
    this.previews.set(id, file);
    const [oldest] = this.previews.keys();
    if (oldest && this.previews.size > mostPreviews) this.previews.delete(oldest);
  }

  #next(): void {
    for (const upload of this.#all.filter(({ state }) => state === 'waiting')) {
      if (this.#aborts.size >= atOnce) return;
      void this.#send(upload);
    }
  }

  async #send(upload: Upload<Place>): Promise<void> {
    const { id, where } = upload;
    const { done, abort } = this.#options.send(upload, (share) => this.#change(id, { share }));
    this.#aborts.set(id, abort);
    this.#change(id, { state: 'sending' });
    try {
      this.stored.set(id, await done);
      // Don't attach a file that was removed meanwhile.
      if (this.#all.some((one) => one.id === id)) this.#options.drafts.attach(where, id, this.#chosenAfter(id));
      this.#set(this.#all.filter((one) => one.id !== id));
    } catch (error) {
      this.#change(id, { state: 'failed', error });
    } finally {
      this.#aborts.delete(id);
      this.#next();
    }
  }

  #change(id: FileId, part: Partial<Upload<Place>>): void {
    this.#set(this.#all.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
  }

  #set(all: readonly Upload<Place>[]): void {
    this.#all = all;
    for (const watcher of this.#watchers) watcher();
  }
}

/** Returns why a file can't be sent, before a byte is sent. */
export function refusalOf(file: Pick<File, 'name' | 'size' | 'type'>): UploadRefusal | undefined {
  const ofImage = imageRefusalOf(file);
  if (ofImage) return ofImage;
  if (!acceptedEndings.some((ending) => file.name.toLowerCase().endsWith(ending))) return 'type';
  if (file.size > largestFileBytes) return 'size';
  return file.size === 0 ? 'empty' : undefined;
}
