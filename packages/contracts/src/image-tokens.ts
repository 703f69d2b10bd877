import type { ProviderKind } from './services/chat-models.ts';

type Size = { readonly width: number; readonly height: number };

/**
 * How many input tokens an image takes, by the published rule of each kind of provider: an estimate, which the usage that
 * a provider reports replaces. Width and height in pixels.
 */
export function imageTokens(kind: ProviderKind, size: Size): number {
  return rules[kind](size);
}

const rules: Readonly<Record<ProviderKind, (size: Size) => number>> = {
  // https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs
  anthropic: (size) => {
    const { width, height } = within(size, 1_568);
    return Math.ceil((width * height) / 750);
  },
  // https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens: small ones are one tile, others are cut into several.
  google: ({ width, height }) => {
    if (width <= 384 && height <= 384) return 258;
    const unit = Math.max(256, Math.min(768, Math.floor(Math.min(width, height) / 1.5)));
    return 258 * Math.ceil(width / unit) * Math.ceil(height / unit);
  },
  // https://platform.openai.com/docs/guides/images-vision#calculating-costs: it has a rule by tiles and one by patches,
  // depending on the model, and other servers have rules like these; the dearer one is taken.
  'openai-compatible': (size) => Math.max(tilesOf(size), patchesOf(size)),
};

/** In a square of 2,048, then 768 on its shorter side: 170 for each tile of 512 x 512, and 85. */
function tilesOf(size: Size): number {
  const fit = within(size, 2_048);
  const scale = Math.min(1, 768 / Math.min(fit.width, fit.height));
  const tiles = (side: number): number => Math.ceil((side * scale) / 512);
  return 85 + 170 * tiles(fit.width) * tiles(fit.height);
}

/** One for each 32 x 32 pixels, at most 1,536. */
const patchesOf = ({ width, height }: Size): number => Math.min(1_536, Math.ceil(width / 32) * Math.ceil(height / 32));

/** Scaled down until its longer side is at most this. */
function within({ width, height }: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
