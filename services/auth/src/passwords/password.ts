import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Guessers who know the site and the person come to it within a hundred million tries; of four degrees the third. */
const leastScore = 3;
/** Enough to tell: what follows makes no password weaker, and looking at it takes long. */
const longestLooked = 64;
/** Too well known to be any good, whatever a count of guesses says. */
const famous = ['correcthorsebatterystaple', 'correct horse battery staple'];

let checker: Promise<ZxcvbnFactory> | undefined;

export type PasswordOwner = { readonly name: string; readonly email: string };

/**
 * True for passwords that guessers try first: the 49,000 most used ones and what is made of them, of the own name and
 * address, of the product's name, of keys beside each other, of repetitions and dates.
 */
export async function isTooCommon(password: string, { name, email }: PasswordOwner): Promise<boolean> {
  const [localPart = ''] = email.split('@');
  const words = [...name.split(/\s+/), ...email.split(/[@.]/)];
  const context = [name, name.replaceAll(/\s/g, ''), email, localPart, ...words, 'parley'].filter(Boolean);
  checker ??= load();
  const { score } = (await checker).check(password.slice(0, longestLooked), context);
  return score < leastScore || famous.includes(password.toLowerCase());
}

/** At the first registration: the list takes 20 MB. */
async function load(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
}
