/**
 * The words of the product, empty here. Contracts add them by declaration merging (`permission`, `service`, …), so that
 * routes, events and problems are checked against them. A word that wasn't added is any text.
 */
export interface Vocabulary {}

/** Holds the types of what an event with this data can declare; contracts add `liveRule` and `audit`. */
// oxlint-disable-next-line no-unused-vars -- the members that contracts add use it
export interface EventVocabulary<Data> {}

/** Resolves to the texts that a word can be. */
export type Word<Name extends string> = Vocabulary extends { readonly [Key in Name]: infer Words } ? Words : string;

/** Resolves to what an event with this data can say under this name. */
export type EventWord<Data, Name extends string> =
  EventVocabulary<Data> extends { readonly [Key in Name]: infer Words } ? Words : never;
