import type { AskedFile, ChatFile, FileId, MessageFile } from '@parley/contracts';
import { useState, useSyncExternalStore } from 'react';
import type { QuestionFiles } from './composing.ts';
import type { Where } from './drafts.ts';
import { useDrafts } from './drafts-context.tsx';
import type { Upload } from './uploads.ts';

export type FileUse = MessageFile['use'];
/** A file of a draft. */
export type Attached = {
  readonly id: FileId;
  /** Null until the server has reported it. */
  readonly file: ChatFile | null;
  readonly use: FileUse;
  /** The estimated tokens that it adds to each question; null: none, or unknown. */
  readonly tokens: number | null;
  /** An image that isn't sent, because the files before it take all the room. */
  readonly isLeftOut: boolean;
  /** For an image, as it was chosen on this page. */
  readonly preview: Blob | null;
};

/** The files of a draft, and what sending waits for. */
export type Attaching = {
  /** False until the part that attaches files is loaded, for which the draft's files wait. */
  readonly isKnown: boolean;
  readonly attached: readonly Attached[];
  readonly uploads: readonly Upload[];
  /** All of them, as the question will have them. */
  readonly cards: readonly (Attached | Upload)[];
  /** In the form of a question. */
  readonly asked: readonly AskedFile[];
  /** The number of images. */
  readonly images: number;
  /** The estimated tokens that they add to each question; at most, for found passages. */
  readonly tokens: number;
  /** The most tokens of files that the model reads in full; 0: it searches all files. */
  readonly mostTokens: number;
  /** Why the question can't be sent yet. */
  readonly reason: string | null;
  /** The composer's hint about them. */
  readonly hint: string | null;
  /** The hint after someone presses send too early; null: no file is uploading or being read, or a file failed. */
  readonly whenReady: string | null;
  /** The hint is about files that can't be used. */
  readonly isFlawed: boolean;
};

/** Returns what is known before the part that attaches files is loaded. */
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

/** Returns the files in the form of a sent question. */
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
