import type { LiveFrame, LivePosition, LiveStream } from '@parley/platform/live-stream';

/** Writes numbered words of one epoch. */
export class Writer {
  text = '';
  thoughts = '';
  private seq = 0;
  constructor(
    private readonly live: LiveStream,
    private readonly stream: string,
    readonly epoch: number,
  ) {}

  write(count: number): void {
    for (let index = 0; index < count; index += 1) this.append(`${this.epoch}.${this.seq + 1} `);
  }

  /** Thinks numbered words. */
  think(count: number): void {
    for (let index = 0; index < count; index += 1) {
      this.seq += 1;
      const thoughts = { offset: this.thoughts.length, delta: `(${this.epoch}.${this.seq}) ` };
      this.thoughts += thoughts.delta;
      this.live.append(this.stream, {
        epoch: this.epoch,
        seq: this.seq,
        offset: this.text.length,
        delta: '',
        thoughts,
      });
    }
  }

  append(delta: string, end?: LiveFrame['end']): boolean {
    this.seq += 1;
    const frame: LiveFrame = { epoch: this.epoch, seq: this.seq, offset: this.text.length, delta, ...(end && { end }) };
    this.text += delta;
    return this.live.append(this.stream, frame);
  }
}

/** Builds text as a browser does: cuts at the frame's offset, adds the delta, starts anew with an epoch. */
export class Reader {
  readonly frames: LiveFrame[] = [];
  text = '';
  thoughts = '';
  epoch = 0;
  readonly take = (frame: LiveFrame): void => {
    this.frames.push(frame);
    if (frame.epoch !== this.epoch) [this.text, this.thoughts] = ['', ''];
    this.epoch = frame.epoch;
    if (frame.offset > this.text.length || (frame.thoughts?.offset ?? 0) > this.thoughts.length)
      throw new Error(
        `A gap: frame ${frame.epoch}.${frame.seq} starts at ${frame.offset}, the text ends at ${this.text.length}`,
      );
    this.text = this.text.slice(0, frame.offset) + frame.delta;
    if (frame.thoughts) this.thoughts = this.thoughts.slice(0, frame.thoughts.offset) + frame.thoughts.delta;
  };

  get position(): LivePosition | null {
    const last = this.frames.at(-1);
    return last ? { epoch: last.epoch, seq: last.seq } : null;
  }
}
