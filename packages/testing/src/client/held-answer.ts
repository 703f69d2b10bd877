import type { GenerationFrame, Message } from '@parley/contracts';

/**
 * What a client holds of the answer that it reads. Frames may come twice: an opened conversation is replayed beside
 * what its room gets.
 */
export class HeldAnswer {
  text = '';
  end: GenerationFrame[5];
  place: { readonly generationId: GenerationFrame[0]; readonly epoch: number; readonly seq: number } | null = null;

  /** Drops what it has. False when something is missing before the frame: then it is to be asked for from `place`. */
  take([generationId, epoch, seq, offset, delta, end]: GenerationFrame): boolean {
    const held = this.place?.generationId === generationId ? this.place : { epoch: 0, seq: 0 };
    const isNewAttempt = epoch > held.epoch;
    if (!isNewAttempt && (epoch < held.epoch || seq <= held.seq)) return true;
    // What is missing before it is a gap; a frame that brings the whole text again is not.
    if (offset > (isNewAttempt ? 0 : this.text.length)) return false;
    this.place = { generationId, epoch, seq };
    this.text = this.text.slice(0, offset) + delta;
    this.end = end;
    return true;
  }

  /** The stored answer stands over what came by frames, once it has ended. */
  settle({ text, generation }: Message): void {
    if (!generation || generation.status === 'queued' || generation.status === 'running') return;
    this.text = text;
    this.end = generation.status;
  }
}
