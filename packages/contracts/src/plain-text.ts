import { z } from 'zod';

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Joiners and the emoji selector have a meaning after letters of scripts without case, their marks, and pictures. */
const invisible =
  /(?<![\p{Lo}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])(?:\u200C|\u200D|\uFE0F)|(?!\u200C|\u200D|\uFE0F)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?:\u200C|\u200D)+$/gu;

/**
 * Takes out what nobody sees: control signs, halves of signs, marks that turn the direction of what follows, and signs
 * without width. Two names that look alike are alike, and none reorders the line that it stands in.
 */
export const withoutInvisible = (text: string): string => text.replace(breaks, ' ').replace(invisible, '');

/** What people call something: a person, an organisation, a conversation, a document. One line of visible signs. */
export const plainName = (longest: number) => z.string().overwrite(withoutInvisible).trim().min(1).max(longest);

/** UTF-8 writes every half of a sign as the same three bytes: texts that differ in them only would count as one. */
export const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);
