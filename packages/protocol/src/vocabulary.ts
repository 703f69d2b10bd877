/**
 * The words of the product: empty here. Its contracts add them by declaration merging (`permission`, `service`, …), so
 * that routes, events and problems are checked against them; a word that nobody has added is any text.
 */
export interface Vocabulary {}

/** What an event with this data declares beside its fields; contracts add `liveRule` and `audit`. */
export interface EventVocabulary<Data> {
  /** Ties the rules to the data of the event; no event has it. */
  readonly ofData?: (data: Data) => void;
}

/** The texts that a word can be. */
export type Word<Name extends string> = Vocabulary extends { readonly [Key in Name]: infer Words } ? Words : string;

/** What an event with this data can say under this name. */
export type EventWord<Data, Name extends string> =
  EventVocabulary<Data> extends { readonly [Key in Name]: infer Words } ? Words : never;
