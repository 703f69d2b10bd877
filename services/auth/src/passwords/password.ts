import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { hasOnlyWords } from './only-words.ts';

/** Guessers who know the site and the person come to it within a hundred million tries; of four degrees the third. */
const leastScore = 3;
/** Enough to tell: what follows makes no password weaker, and looking at it takes long. */
const longestLooked = 64;
/** Too well known to be any good, whatever a count of guesses says. */
const famous = ['correcthorsebatterystaple', 'correct horse battery staple'];

let checker: Promise<ZxcvbnFactory> | undefined;

export type PasswordOwner = {
  readonly name: string;
  readonly email: string;
  /** What their organisation is called, where that is known. */
  readonly organisation?: string | null;
};

/**
 * True for passwords that guessers try first: the 49,000 most used ones and what is made of them, of the own name and
 * address, of the product's and the organisation's name, of keys beside each other, of repetitions and dates; and words
 * of these names and of the calendar with any digits and signs.
 */
export async function isTooCommon(password: string, { name, email, organisation }: PasswordOwner): Promise<boolean> {
  const [localPart = ''] = email.split('@');
  const company = organisation ?? '';
  const words = [...name.split(/\s+/), ...email.split(/[@.]/), ...company.split(/\s+/)];
  const whole = [name, company].flatMap((text) => [text, text.replaceAll(/\s/g, '')]);
  const context = [...whole, email, localPart, ...words, 'parley'].filter(Boolean);
  if (hasOnlyWords(password, context)) return true;
  checker ??= load();
  const { score } = (await checker).check(password.slice(0, longestLooked), context);
  return score < leastScore || famous.includes(password.toLowerCase());
}

/** At the first registration: the list takes 20 MB. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
}
