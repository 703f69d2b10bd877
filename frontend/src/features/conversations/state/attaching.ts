import type { AskedFile, ChatFile, FileId, MessageFile } from '@parley/contracts';
import { useState, useSyncExternalStore } from 'react';
import type { QuestionFiles } from './composing.ts';
import type { Where } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';
import type { Upload } from './uploads.ts';

export type FileUse = MessageFile['use'];
/** A file of a draft, as the composer shows it. */
export type Attached = {
  readonly id: FileId;
  /** Null until the server has reported the file. */
  readonly file: ChatFile | null;
  readonly use: FileUse;
  /** The estimated tokens that the file adds to each question; null: none, or unknown. */
  readonly tokens: number | null;
  /** True for an image that isn't sent, because earlier files take all the room. */
  readonly isLeftOut: boolean;
  /** The image as it was chosen on this page; null for other files. */
  readonly preview: Blob | null;
};

/** The files of a draft, and what the composer must wait for. */
export type Attaching = {
  /** False until the code that attaches files is loaded; until then the draft's files aren't known. */
  readonly isKnown: boolean;
  readonly attached: readonly Attached[];
  readonly uploads: readonly Upload[];
  /** Stored files and uploads, in the order that the sent question will list them. */
  readonly cards: readonly (Attached | Upload)[];
  /** The files as fields of a question. */
  readonly asked: readonly AskedFile[];
  /** The number of images. */
  readonly images: number;
  /** The estimated tokens that all files add to each question; for searched files, the most that passages can add. */
  readonly tokens: number;
  /** The most tokens of files that the model reads in full; 0: it searches all files. */
  readonly mostTokens: number;
  /** Why the question can't be sent yet; null: the files are ready. */
  readonly reason: string | null;
  /** The composer's hint about the files. */
  readonly hint: string | null;
  /** The hint after someone presses send too early. Null if no file is uploading or being read, or a file failed. */
  readonly whenReady: string | null;
  /** True if the hint is about files that can't be used. */
  readonly isFlawed: boolean;
};

/** Returns what is known of a draft's files before the code that attaches files is loaded. */
export function useAttachingOf(where: Where) {
  const drafts = useDrafts();
  const asked = useSyncExternalStore(drafts.watch, () => drafts.read(where).files);
  const [known, setKnown] = useState<Attaching | null>(null);
  const attaching: Attaching = known ?? {
    isKnown: asked.length === 0,
    attached: [],
    uploads: [],
    cards: [],
    asked,
    images: 0,
    tokens: 0,
    mostTokens: 0,
    reason: null,
    hint: null,
    whenReady: null,
    isFlawed: false,
  };
  return { attaching, onAttaching: setKnown };
}

/** Returns the files as fields of a sent question. */
export const questionFiles = ({ asked, attached }: Pick<Attaching, 'asked' | 'attached'>): QuestionFiles => ({
  asked,
  attached: attached.flatMap(({ file, use }) => (file ? [asSent(file, use)] : [])),
});

const asSent = ({ id, name, mediaType, bytes, tokens, pages, passageCount }: ChatFile, use: FileUse): MessageFile => ({
  id,
  name,
  mediaType,
  bytes,
  use,
  ...(tokens !== null && { tokens }),
  ...(pages !== null && { pages }),
  ...(passageCount > 0 && { passageCount }),
});
