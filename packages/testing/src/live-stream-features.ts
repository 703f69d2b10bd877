/** What an adapter may do differently. */
export type LiveStreamFeatures = {
  /** More frames than it keeps singly. */
  readonly overflow: number;
  /** Two instances are two processes that see the same streams. */
  readonly isShared: boolean;
};
