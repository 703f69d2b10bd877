import type { ChatFile, Model } from '@parley/contracts';
import { haveRoom, passageTokens, wholeTokens } from '@parley/contracts/prompt-budget';
import { imageTokens } from '@parley/contracts/image-tokens';
import { useFormats } from '../../../lib/formats.ts';
import { imageSupportOf } from './images.ts';

/** Estimates the tokens of a text like the server: a third of its UTF-8 bytes. */
export const tokensOf = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 3);

/** Returns the most tokens of files that a model reads in full; 0: it searches all files. */
export const mostTokensOf = (model: Pick<Model, 'context'> | null): number =>
  model?.context ? wholeTokens(model.context.tokens) : 0;

type Sent = { readonly file: Pick<ChatFile, 'tokens' | 'image'> | null | undefined; readonly isSearched: boolean };

/**
 * Returns for each file of a question the tokens that it adds. As on the server, files are taken in order while the
 * model has room. Null for a file that is searched or has no room, and for an image that isn't sent.
 */
export function addedBy(files: readonly Sent[], model: Pick<Model, 'context' | 'images' | 'key'> | null) {
  const wanted = files.map(({ file, isSearched }) =>
    file?.image
      ? { as: 'image' as const, tokens: tokensOfImage(file, model), bytes: file.image.bytes }
      : { as: isSearched ? null : ('whole' as const), tokens: file?.tokens ?? null },
  );
  const fits = haveRoom(wanted, model?.context?.tokens ?? 0);
  return wanted.map(({ tokens }, at) => (fits[at] ? tokens : null));
}

/** Returns the tokens of an image that is sent; null for a model that doesn't accept images. */
export const tokensOfImage = (
  { image }: Pick<ChatFile, 'image'>,
  model: Pick<Model, 'images' | 'key'> | null,
): number | null => (image && model?.images && imageSupportOf(model) !== 'no' ? imageTokens(image) : null);

/** Returns the most tokens that passages of searched files add together; 0 for a model without a context length. */
export function tokensOfPassages(
  files: readonly { readonly tokens: ChatFile['tokens'] }[],
  model: Pick<Model, 'context'> | null,
): number {
  if (!model?.context) return 0;
  return Math.min(
    passageTokens,
    files.reduce((sum, { tokens }) => sum + (tokens ?? passageTokens), 0),
  );
}

const perPrice = 1_000_000n;
/**
 * Returns the cost of input tokens in micro-units of the currency, rounded up, so that a price above 0 never gives 0.
 */
export const inputMicros = (price: Pick<NonNullable<Model['price']>, 'inputMicros'>, tokens: number): number =>
  Number((BigInt(tokens) * BigInt(price.inputMicros) + perPrice - 1n) / perPrice);

/**
 * Returns a function for the cost of input tokens with a model, such as `≈ €0.03`; null without a price or without
 * tokens.
 */
export function useInputCost(): (model: Pick<Model, 'price'> | null, tokens: number) => string | null {
  const { cost } = useFormats();
  return (model, tokens) =>
    model?.price && tokens > 0 ? `≈ ${cost(inputMicros(model.price, tokens), model.price.currency)}` : null;
}
