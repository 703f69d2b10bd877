/**
 * Tells whether this failure means that a limit cut the answer: one of the model, of a budget or of Parley. A cut
 * answer is kept and paid for, and doesn't count as failed. Takes any string, as newer releases can publish other
 * failures.
 */
export const isCut = (failure: string | null | undefined): boolean =>
  failure === 'output-limit' || failure === 'too-long';
