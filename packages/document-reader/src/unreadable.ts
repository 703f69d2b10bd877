// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.

/** What a reader finds wrong with a file; it is so at each attempt. */
export type Flaw =
  | 'no-text'
  | 'not-utf8'
  | 'scanned'
  | 'encrypted'
  | 'damaged'
  | 'unpacks-too-large'
  | 'nested-too-deep'
  | 'too-many-pages';

/** What is attached to a mail that was read, and was not itself. */
export type Unread = { readonly name: string; readonly flaw: Flaw | 'too-large' | 'kind-not-read' | 'beyond-most' };

/** Thrown where a file cannot be read for a reason that its owner can do something about. */
export class Unreadable extends Error {
  readonly flaw: Flaw;

  constructor(flaw: Flaw) {
    super(flaw);
    this.flaw = flaw;
  }
}
