/**
 * One piece of a running answer. `seq` counts 1, 2, 3 … within an epoch; `offset` is where `delta` starts in the whole
 * text, in UTF-16 units; `thoughts` is the like piece of what the model thinks, in a text of its own, absent where a
 * frame brings none. `end` is set on the last frame of the stream.
 */
export type LiveFrame = {
  readonly epoch: number;
  readonly seq: number;
  readonly offset: number;
  readonly delta: string;
  readonly thoughts?: { readonly offset: number; readonly delta: string };
  readonly end?: 'done' | 'stopped' | 'failed' | 'interrupted';
};
type Piece = { readonly offset: number; readonly delta: string };
/** A text and the piece behind it: what the text has behind the piece's offset is replaced. */
export const joined = (text: string, { offset, delta }: Piece): string =>
  (text.length === offset ? text : text.slice(0, offset)) + delta;
export type LivePosition = { readonly epoch: number; readonly seq: number };

/**
 * The text of running answers on its way to browsers. Promise: frames of one (stream, epoch) arrive in order without
 * gaps from the given position on, as long as the stream is kept; a follower that comes late gets what is kept, then
 * goes live; a frame of an epoch below the newest is refused. Old frames may be joined: whoever needs one of them gets
 * a single frame at offset 0, of both texts, that replaces what it has, so a reader always cuts its text at `offset`
 * before it adds `delta`. A follower that throws disturbs nobody. A store that is away fails nobody: appending goes on, reading gives
 * nothing, and followers get the text, joined to one frame, when it is back. Durable truth is the generation document,
 * never this.
 */
export abstract class LiveStream {
  /**
   * Never waits for readers. A frame of an epoch below the newest, a repeated one and one behind the end are dropped
   * and false returned.
   */
  abstract append(stream: string, frame: LiveFrame): boolean;
  /**
   * What is kept after the position, oldest first; everything kept when null. Frames of older epochs are not returned.
   */
  abstract read(stream: string, after: LivePosition | null): Promise<LiveFrame[]>;
  /**
   * `read`, then each new frame, in order. `onFrame` is never called before `follow` returns, nor after the function it
   * returns.
   */
  abstract follow(stream: string, after: LivePosition | null, onFrame: (frame: LiveFrame) => void): () => void;
  /**
   * Names each stream that begins, in whatever process, soon after the first frame of each of its epochs. Nobody is told
   * twice what he missed: whoever needs each of them hears of it in another way, too. Returns how to stop listening.
   */
  abstract onBegin(listener: (stream: string) => void): () => void;
  /** Drops the stream at that time; before it, late followers still get everything. */
  abstract expire(stream: string, at: Date): void;
  abstract close(): Promise<void>;
}
