/**
 * Tells whether an answer with this failure was cut: its text reached a limit of the model, of a budget or of Parley. It
 * is kept and paid for, and nothing has failed. Takes any text, since events name failures that a release doesn't know.
 */
export const isCut = (failure: string | null | undefined): boolean =>
  failure === 'output-limit' || failure === 'too-long';
