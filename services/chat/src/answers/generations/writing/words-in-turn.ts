import type { FlowKey } from '@parley/platform/fair-turns';
import type { ModelPart } from '../../../assistants/models/index.ts';
import type { ProcessTime } from './process-time.ts';

type Parts = { readonly time: ProcessTime; readonly key: FlowKey; readonly pass: (part: ModelPart) => void };

/**
 * Passes on the words of one answer's model, in the turns of its flow (the share of capacity that its organisation
 * belongs to). Keeps words before their turn, and doesn't read on from the model's server until they have passed.
 */
export class WordsInTurn {
  private readonly kept: ModelPart[] = [];
  private failure: unknown = null;
  private turn: PromiseWithResolvers<void> | null = null;

  constructor(private readonly parts: Parts) {}

  /** True while words wait for their turn. */
  get isWaiting(): boolean {
    return this.turn !== null;
  }

  /**
   * Passes a part on. Returns undefined if the part has passed, otherwise a promise that resolves when all kept words
   * have passed. Throws errors of `pass`, immediately or with the next part. Usage isn't a word, so it doesn't wait.
   */
  take(part: ModelPart): Promise<void> | undefined {
    const { time, key, pass } = this.parts;
    if (this.failure) throw this.failure;
    if (part.kind === 'usage' || (!this.turn && time.isFree())) {
      pass(part);
      return undefined;
    }
    this.kept.push(part);
    if (!this.turn) {
      this.turn = Promise.withResolvers();
      time.wait(key, (isOver) => this.passKept(isOver));
    }
    return this.turn.promise;
  }

  /** Resolves when all words have passed; rejects with an error that `pass` threw. */
  async drained(): Promise<void> {
    await this.turn?.promise;
    if (this.failure) throw this.failure;
  }

  /** Passes all kept words, before those of other answers, because this answer ends. */
  passAll(): void {
    this.passKept(() => false);
  }

  private passKept(isOver: () => boolean): boolean {
    let passed = 0;
    try {
      for (const part of this.kept) {
        if (passed > 0 && isOver()) break;
        passed += 1;
        this.parts.pass(part);
      }
      this.kept.splice(0, passed);
    } catch (error) {
      this.failure = error;
      this.kept.length = 0;
    }
    if (this.kept.length > 0) return true;
    this.turn?.resolve();
    this.turn = null;
    return false;
  }
}
