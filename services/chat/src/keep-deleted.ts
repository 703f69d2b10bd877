/** So long can what was deleted be restored; then it is erased for good. */
export const keepDeletedMs = 7 * 24 * 3_600_000;
