/** Returns how many tokens of whole files a model is sent at most: a quarter of its context. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);

/** Limits the passages of one file, and those that a question searches on its path: the newest questions come first. */
export const mostFilePassages = 5_000;
/** Limits the passages that an answer has of all searched files together. */
export const passagesOfFiles = 8;
/** Readers end a passage before that; only some of tables are longer. */
const passageCharacters = 900;
/** Estimates the tokens of these passages, at most. */
export const passageTokens = Math.ceil((passagesOfFiles * passageCharacters) / 3);

/** Limits the images of one request, over all providers: Anthropic takes 32 MB in base64, Google 20 MB. */
const mostImageBytes = 12_000_000;

type Wanted = {
  /** Null for a file that is searched. */
  readonly as: 'whole' | 'image' | null;
  /** Estimated, of an image by `imageTokens`; null where they aren't known. */
  readonly tokens: number | null;
  /** Counts an image as models see it; 0 where absent. */
  readonly bytes?: number;
};

/**
 * Counts the room for files in one request: whole ones take a quarter of the model's context at most, with images half of
 * it, and images 12 MB.
 */
export class FileRoom {
  private whole: number;
  private all: number;
  private imageBytes = mostImageBytes;

  /** `mostWhole`: tokens of whole files; less than a quarter of the context where some of it is taken. */
  constructor(contextTokens: number, mostWhole = wholeTokens(contextTokens)) {
    this.whole = mostWhole;
    this.all = contextTokens / 2;
  }

  /** Tells whether any whole file may fit. */
  get hasWhole(): boolean {
    return this.whole > 0;
  }

  /** Tells whether a file fits; one that is searched takes no room here. */
  has({ as, tokens, bytes = 0 }: Wanted): boolean {
    if (as === null || tokens === null || tokens > this.all) return false;
    return as === 'whole' ? tokens <= this.whole : bytes <= this.imageBytes;
  }

  /** Takes the room of a file; returns false, and takes none, where it doesn't fit. */
  take(file: Wanted): boolean {
    if (!this.has(file)) return false;
    const { as, tokens, bytes = 0 } = file;
    this.all -= tokens ?? 0;
    if (as === 'whole') this.whole -= tokens ?? 0;
    else this.imageBytes -= bytes;
    return true;
  }
}

/** Returns which files of a question have room, in their order. */
export function haveRoom(files: readonly Wanted[], contextTokens: number): boolean[] {
  const room = new FileRoom(contextTokens);
  return files.map((file) => room.take(file));
}
