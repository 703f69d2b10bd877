import { z } from 'zod';

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * Matches invisible characters. Joiners and the emoji selector are kept after letters of scripts without case, after
 * their marks, and after pictures, where they have a meaning.
 */
const invisible =
  /(?<![\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200C|\u200D|\uFE0F)|(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?:\u200C|\u200D)+$/gu;

/**
 * Removes invisible characters: controls, halves of surrogate pairs, marks of direction, and characters without width.
 * Names that look the same become equal, and no name reorders its line.
 */
export const withoutInvisible = (text: string): string => text.replace(breaks, ' ').replace(invisible, '');

/**
 * Returns the schema of a name of a person, an organisation, a chat or a document: one line of visible characters, at
 * most `longest`.
 */
export const plainName = (longest: number) => z.string().overwrite(withoutInvisible).trim().min(1).max(longest);

/**
 * Returns whether a text is free of halves of surrogate pairs. UTF-8 writes each half as the same three bytes, so texts
 * that differ only there would be equal.
 */
export const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);
