import type { ChatFile, Model } from '@parley/contracts';
import { imageTokens } from '@parley/contracts/image-tokens';
import { useFormats } from '../../lib/formats.ts';
import { imageSupportOf } from './images.ts';

/** Estimated as the server does: a third of the bytes. */
export const tokensOf = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 3);

/** The most tokens of files that a model reads in full; 0: it searches all files. */
export const mostTokensOf = (model: Pick<Model, 'context'> | null): number =>
  model?.context ? Math.floor(model.context.tokens / 4) : 0;

/** Which of these files a model reads in full: in their order, as long as there is room. */
export function areWhole(
  files: readonly { readonly tokens: ChatFile['tokens']; readonly isSearched: boolean }[],
  mostTokens: number,
): boolean[] {
  let room = mostTokens;
  return files.map(({ tokens, isSearched }) => {
    const isWhole = !isSearched && tokens !== null && tokens <= room;
    if (isWhole) room -= tokens;
    return isWhole;
  });
}

/** That an image adds to each question; null of a model that doesn't accept images. */
export const tokensOfImage = (
  { image }: Pick<ChatFile, 'image'>,
  model: Pick<Model, 'images' | 'key'> | null,
): number | null => (image && model?.images && imageSupportOf(model) !== 'no' ? imageTokens(image) : null);

const perPrice = 1_000_000n;
/** In micro-units, rounded up: what has a price is never nothing. */
export const inputMicros = (price: Pick<NonNullable<Model['price']>, 'inputMicros'>, tokens: number): number =>
  Number((BigInt(tokens) * BigInt(price.inputMicros) + perPrice - 1n) / perPrice);

/** What that many tokens of input cost with a model, such as `≈ €0.03`; null where it has no price or there are none. */
export function useInputCost(): (model: Pick<Model, 'price'> | null, tokens: number) => string | null {
  const { cost } = useFormats();
  return (model, tokens) =>
    model?.price && tokens > 0 ? `≈ ${cost(inputMicros(model.price, tokens), model.price.currency)}` : null;
}
