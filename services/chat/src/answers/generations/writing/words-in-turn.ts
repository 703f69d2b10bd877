import type { FlowKey } from '@parley/platform/fair-turns';
import type { ModelPart } from '../../../assistants/models/index.ts';
import type { ProcessTime } from './process-time.ts';

type Parts = { readonly time: ProcessTime; readonly key: FlowKey; readonly pass: (part: ModelPart) => void };

/**
 * Passes on what the model of one answer says, in the turns of its flow. Words ahead of their turn are kept, and the
 * model's server isn't read on until they have passed.
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
   * Returns nothing if the part has passed, otherwise a promise for when everything kept has. Throws what `pass`
   * throws, immediately or with the next part. Usage is no word and doesn't wait.
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

  /** Resolves when everything has passed; rejects with what `pass` has thrown. */
  async drained(): Promise<void> {
    await this.turn?.promise;
    if (this.failure) throw this.failure;
  }

  /** Passes all kept words, before anyone else's, because the answer ends. */
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
