/** Returns how many tokens of whole files a model is sent at most: a quarter of its context. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);

/**
 * Limits the passages of one file, and the passages that one question searches in all files of its path, those of the
 * newest questions first.
 */
export const mostFilePassages = 5_000;
/** Limits the passages of all searched files in one answer. */
export const passagesOfFiles = 8;
/** Maximum characters of a passage, as file readers cut them; only passages of tables can be longer. */
const passageCharacters = 900;
/** Estimates the most tokens that the passages of all searched files take. */
export const passageTokens = Math.ceil((passagesOfFiles * passageCharacters) / 3);

/** Limits the images of one request, over all providers: Anthropic takes 32 MB in base64, Google 20 MB. */
const mostImageBytes = 12_000_000;
/** Keeps tokens free for an answer without a limit of its own; at most a quarter of the context. */
const mostKeptForAnswer = 4_096;
/** Keeps tokens free for passages beside earlier messages and files; at most a quarter of the context. */
const mostKeptForPassages = 4_096;

type Context = {
  readonly contextTokens: number;
  /** Tokens of instructions, passages and the continued text. */
  readonly told?: number;
  readonly maxOutputTokens?: number | null;
  /** Tokens of whole files; 0 if none is sent whole. */
  readonly mostWhole?: number;
  /** True if room has to stay free for passages that are searched later. */
  readonly keepsPassages?: boolean;
};
type Attached = {
  /** How the model gets the file; null: the file is searched. */
  readonly as: 'whole' | 'image' | null;
  /** Estimated tokens of the file (of an image: its `imageTokens`); null if unknown. */
  readonly tokens: number | null;
  /** Tokens of a whole file as it is sent, with its name. */
  readonly sent?: number;
  /** The size of the image that models see; 0 if missing. */
  readonly bytes?: number;
};

/**
 * Decides which parts of a prompt are sent and which are left out, in estimated tokens. Call `enter` for each message,
 * from the newest to the oldest, and `take` for its files after it. The README of chat's assistants has all rules in a
 * table.
 */
export class PromptBudget {
  private history: number;
  private whole: number;
  private files: number;
  private imageBytes = mostImageBytes;
  private messages = 0;
  private isOpen = true;
  private readonly kept: number;

  constructor({ contextTokens, told = 0, maxOutputTokens = null, mostWhole, keepsPassages = false }: Context) {
    const quarter = contextTokens / 4;
    this.history = contextTokens - Math.min(maxOutputTokens ?? mostKeptForAnswer, quarter) - told;
    this.whole = mostWhole ?? wholeTokens(contextTokens);
    this.files = contextTokens / 2;
    this.kept = keepsPassages ? Math.min(mostKeptForPassages, quarter) : 0;
  }

  /** Returns the tokens left for messages; below 0 if even instructions, passages and answer don't fit. */
  get left(): number {
    return this.history;
  }

  /** Returns whether any whole file can fit. */
  get hasWhole(): boolean {
    return this.whole > 0;
  }

  /** Returns whether the next older message is sent. The first is the question, which is always sent. */
  enter(tokens: number): boolean {
    this.messages += 1;
    if (this.messages === 2) this.history -= this.kept;
    this.isOpen &&= this.fits(tokens);
    if (this.isOpen) this.history -= tokens;
    return this.isOpen;
  }

  /** Returns whether a file of this message fits. A searched file takes no room. */
  has({ as, tokens, sent = tokens ?? 0, bytes = 0 }: Attached): boolean {
    if (as === null || tokens === null || tokens > this.files || !this.fits(sent)) return false;
    return as === 'whole' ? tokens <= this.whole : bytes <= this.imageBytes;
  }

  /** Takes the room of a file. Returns false, and takes none, if it doesn't fit. */
  take(file: Attached): boolean {
    if (!this.has(file)) return false;
    const { as, tokens, sent = tokens ?? 0, bytes = 0 } = file;
    this.files -= tokens ?? 0;
    this.history -= sent;
    if (as === 'whole') this.whole -= tokens ?? 0;
    else this.imageBytes -= bytes;
    return true;
  }

  /** Returns whether the history has room; always true for the question and its files, which have their own limits. */
  private fits(tokens: number): boolean {
    return this.messages < 2 || tokens <= this.history;
  }

  /**
   * Removes one passage: the last passage of a file if most passages are of files, otherwise the last of a document.
   */
  static withoutLast<Passage extends object>(passages: readonly Passage[]): Passage[] {
    const isOfFile = (passage: Passage): boolean => 'fileId' in passage;
    const ofFiles = passages.filter(isOfFile).length;
    const last = passages.findLastIndex((passage) => isOfFile(passage) === ofFiles * 2 > passages.length);
    return passages.filter((_passage, at) => at !== last);
  }
}

/** Returns the files of a question for which there is room, in their order. */
export function haveRoom(files: readonly Attached[], contextTokens: number): boolean[] {
  const budget = new PromptBudget({ contextTokens });
  return files.map((file) => budget.take(file));
}
