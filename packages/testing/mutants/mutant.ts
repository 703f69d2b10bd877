/** One planted fault: `find` stands in `file` exactly once and is replaced by `put`; `spec` must then have a red test. */
export type Mutant = {
  /** What would be broken, as a sentence for the report. */
  readonly breaks: string;
  /** Relative to the root. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** Pattern of the narrow spec that has to notice. */
  readonly spec: string;
  /** Why nobody has to notice: it then does not count against the score. */
  readonly survives?: string;
};
