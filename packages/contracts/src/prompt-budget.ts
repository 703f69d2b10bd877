/** Returns the most tokens of files that a prompt contains as whole text: a quarter of the model's context. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);

/**
 * Limits the passages of one file, and the passages that one question searches in all files attached along its path of
 * the chat. Files of the newest questions are searched first.
 */
export const mostFilePassages = 5_000;
/** Limits how many passages one answer gets from its searched files: files whose text isn't sent whole. */
export const passagesOfFiles = 8;
/** Maximum characters of a passage, as file readers cut them; only passages of tables can be longer. */
const passageCharacters = 900;
/** Estimates the most tokens that the passages of searched files take in one prompt, at three characters a token. */
export const passageTokens = Math.ceil((passagesOfFiles * passageCharacters) / 3);

/**
 * Limits the total bytes of the images in one request, for every provider: Anthropic takes 32 MB in base64, Google 20
 * MB.
 */
const mostImageBytes = 12_000_000;
/** Reserves tokens for the answer if `maxOutputTokens` sets no limit; at most a quarter of the context. */
const mostKeptForAnswer = 4_096;
/**
 * Reserves tokens for passages, so that earlier messages and files can't take them; at most a quarter of the context.
 */
const mostKeptForPassages = 4_096;

type Context = {
  readonly contextTokens: number;
  /** Tokens of instructions, of passages and, if an answer is continued, of its text so far. */
  readonly told?: number;
  readonly maxOutputTokens?: number | null;
  /** The most tokens of files sent whole; 0: no file is sent whole. Missing: `wholeTokens`. */
  readonly mostWhole?: number;
  /** True if room has to stay free for passages that are searched later. */
  readonly keepsPassages?: boolean;
};
type Attached = {
  /** How the model gets the file; null: only as passages that a search finds. */
  readonly as: 'whole' | 'image' | null;
  /** Estimated tokens of the file (of an image: its `imageTokens`); null if unknown. */
  readonly tokens: number | null;
  /** Tokens of the whole file as it is sent, with its name. Missing: the same as `tokens`. */
  readonly sent?: number;
  /** Bytes of the image that models see; 0 if missing. */
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

  /** Returns the tokens left for messages; below 0 if not even instructions, passages and answer fit. */
  get left(): number {
    return this.history;
  }

  /** Returns whether the budget still has tokens for files that are sent whole. */
  get hasWhole(): boolean {
    return this.whole > 0;
  }

  /**
   * Takes the tokens of the next older message and returns whether it is sent. The first call is for the question,
   * which is always sent.
   */
  enter(tokens: number): boolean {
    this.messages += 1;
    if (this.messages === 2) this.history -= this.kept;
    this.isOpen &&= this.fits(tokens);
    if (this.isOpen) this.history -= tokens;
    return this.isOpen;
  }

  /**
   * Returns whether the prompt has room for a file of the message that was entered last, whole or as an image. False if
   * only passages of the file are searched.
   */
  has({ as, tokens, sent = tokens ?? 0, bytes = 0 }: Attached): boolean {
    if (as === null || tokens === null || tokens > this.files || !this.fits(sent)) return false;
    return as === 'whole' ? tokens <= this.whole : bytes <= this.imageBytes;
  }

  /** Takes a file's tokens and bytes from the budget. Returns false, and takes nothing, if the file doesn't fit. */
  take(file: Attached): boolean {
    if (!this.has(file)) return false;
    const { as, tokens, sent = tokens ?? 0, bytes = 0 } = file;
    this.files -= tokens ?? 0;
    this.history -= sent;
    if (as === 'whole') this.whole -= tokens ?? 0;
    else this.imageBytes -= bytes;
    return true;
  }

  /**
   * Returns whether these tokens fit into what is left for the history; always true for the question and its files,
   * which have their own limits.
   */
  private fits(tokens: number): boolean {
    return this.messages < 2 || tokens <= this.history;
  }

  /**
   * Returns the passages without one: the last passage of a file if most passages are of files, otherwise the last of a
   * document.
   */
  static withoutLast<Passage extends object>(passages: readonly Passage[]): Passage[] {
    const isOfFile = (passage: Passage): boolean => 'fileId' in passage;
    const ofFiles = passages.filter(isOfFile).length;
    const last = passages.findLastIndex((passage) => isOfFile(passage) === ofFiles * 2 > passages.length);
    return passages.filter((_passage, at) => at !== last);
  }
}

/** Returns for each file of a question, in order, whether the prompt has room for it. */
export function haveRoom(files: readonly Attached[], contextTokens: number): boolean[] {
  const budget = new PromptBudget({ contextTokens });
  return files.map((file) => budget.take(file));
}
