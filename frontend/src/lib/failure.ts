export type Failure = {
  readonly error: unknown;
  /** Where the person was shown one: 32 digits. */
  readonly eventId?: string | undefined;
};

/** What the person can tell: it stands in the server's log and in the report. */
export const digestOf = (eventId: string): string => eventId.slice(0, 10);
