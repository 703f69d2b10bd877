import { ModelFailure, type ModelPart } from '../../../assistants/models/index.ts';
import type { AnswerSlot } from './answer-slot.ts';

/** Beyond it a model has said too much in any case. */
const mostCharacters = 500_000;

/** Passes on what a model says while the answer has a slot, and keeps it until it has one again. */
export class SlotGate {
  private readonly kept: ModelPart[] = [];
  private characters = 0;
  private failure: unknown = null;
  private open = Promise.withResolvers<void>();

  constructor(
    private readonly slot: Pick<AnswerSlot, 'heard'>,
    private readonly pass: (part: ModelPart) => void,
  ) {}

  /** What was said waits for a slot. */
  get isWaiting(): boolean {
    return this.kept.length > 0;
  }

  /** Throws what `pass` throws, at once or with the next part. Usage is no word: it passes without a slot. */
  take(part: ModelPart): void {
    if (this.failure) throw this.failure;
    if (part.kind === 'usage') return this.pass(part);
    if (!this.isWaiting && this.slot.heard(() => this.release())) return this.pass(part);
    this.kept.push(part);
    this.characters += part.text.length;
    if (this.characters > mostCharacters) throw new ModelFailure('too-long', null);
  }

  /** Resolves when all that was said has passed; rejects with what `pass` has thrown. */
  async drained(): Promise<void> {
    if (this.isWaiting) await this.open.promise;
    if (this.failure) throw this.failure;
  }

  private release(): void {
    try {
      for (const part of this.kept) this.pass(part);
    } catch (error) {
      this.failure = error;
    }
    this.kept.length = 0;
    this.characters = 0;
    this.open.resolve();
    this.open = Promise.withResolvers();
  }
}
