/**
 * A piece of a running answer. `seq` counts 1, 2, 3 … within an epoch; `offset` is the start of `delta` in the whole
 * text, in UTF-16 units; `thoughts` is a piece of the model's reasoning, in a text of its own, missing if a frame has
 * none. `end` is set on the last frame of the stream.
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
/** Returns the text with the piece, which replaces everything after its offset. */
export const joined = (text: string, { offset, delta }: Piece): string =>
  (text.length === offset ? text : text.slice(0, offset)) + delta;
export type LivePosition = { readonly epoch: number; readonly seq: number };

/**
 * The text of running answers on its way to browsers. Guarantees: frames of one (stream, epoch) arrive in order without
 * gaps from the given position on, as long as the stream is kept; a late follower gets the kept frames, then goes live;
 * a frame of an epoch below the newest is refused. Old frames may be joined: a reader that needs one of them gets a
 * single frame at offset 0, of both texts, that replaces what it has. So a reader always cuts its text at `offset`
 * before it adds `delta`. A follower that throws disturbs no other. An unavailable store fails no call: appending
 * continues, reading gives nothing, and followers get the text, joined to one frame, when the store is back. The
 * durable truth is the generation document, never this stream.
 */
export abstract class LiveStream {
  /**
   * Appends a frame without waiting for readers. Returns false for a frame that it drops: one of an earlier epoch, a
   * repeated one, and one after the end.
   */
  abstract append(stream: string, frame: LiveFrame): boolean;
  /** Returns frames after the position, oldest first; all kept frames for null. Frames of older epochs are left out. */
  abstract read(stream: string, after: LivePosition | null): Promise<LiveFrame[]>;
  /**
   * Calls `onFrame` with the frames that `read` would return, then with each new frame, in order. Never calls it before
   * `follow` returns, nor after the returned function was called.
   */
  abstract follow(stream: string, after: LivePosition | null, onFrame: (frame: LiveFrame) => void): () => void;
  /**
   * Calls back with the name of each stream that begins, in any process, soon after the first frame of each of its
   * epochs. A missed name isn't repeated: listeners that need all names also get them in another way. Returns a
   * function that stops listening.
   */
  abstract onBegin(listener: (stream: string) => void): () => void;
  /** Drops the stream at that time. Until then late followers still get all of it. */
  abstract expire(stream: string, at: Date): void;
  abstract close(): Promise<void>;
}
