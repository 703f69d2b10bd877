/**
 * Ends a text before the first of some stop words, which can arrive in several pieces. Holds back text that could begin
 * a stop word until that is certain.
 */
export class StopWords {
  private held = '';
  private readonly words: readonly string[];

  constructor(words: readonly string[]) {
    this.words = words;
  }

  /** Returns the text that can be sent now, and whether a stop word has come, which ends the text. */
  take(text: string): { readonly text: string; readonly isOver: boolean } {
    const all = this.held + text;
    const places = this.words.map((word) => all.indexOf(word)).filter((place) => place >= 0);
    if (places.length > 0) {
      this.held = '';
      return { text: all.slice(0, Math.min(...places)), isOver: true };
    }
    const kept = Math.max(0, ...this.words.map((word) => beginningAtEnd(all, word)));
    this.held = all.slice(all.length - kept);
    return { text: all.slice(0, all.length - kept), isOver: false };
  }

  /** Returns the text that was held back, once the text has ended without a stop word. */
  rest(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }
}

/** Returns how many characters at the end of the text begin the word. */
function beginningAtEnd(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length -= 1)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
