/** The slot of one answer. */
export type AnswerSlot = {
  /**
   * The answer received text or reasoning. False while it has to wait for the slot that it gave up; `returned` is called
   * once it has one again.
   */
  heard(returned: () => void): boolean;
  /** The answer waits for something else than its model: until it is heard again, other answers can take its slot. */
  pause(): void;
  /** Gives it back for good, and says whether somebody may have waited for it. Idempotent. */
  release(): boolean;
};
