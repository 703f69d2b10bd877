type Size = { readonly width: number; readonly height: number };

/**
 * Estimates the most input tokens that an image takes, for any model: the maximum of the rules that Anthropic, Google
 * and OpenAI publish, since a gateway may lead to any of their models. ADR 0046 names the few models that take more.
 * The usage that a provider reports replaces the estimate. Width and height in pixels.
 */
export const imageTokens = (size: Size): number => Math.max(...rules.map((tokensOf) => tokensOf(size)));

/** Gemini 3: https://ai.google.dev/gemini-api/docs/media-resolution. */
const tokensOfGemini3 = 1_120;
/**
 * Tokens of one patch of 32 x 32 pixels: the highest factor of OpenAI's models, that of gpt-4.1-nano and gpt-5-nano.
 */
const tokensOfPatch = 2.46;

const rules: readonly ((size: Size) => number)[] = [
  // https://docs.anthropic.com/en/docs/build-with-claude/vision#calculate-image-costs
  (size) => {
    const { width, height } = within(size, 1_568);
    return Math.ceil((width * height) / 750);
  },
  // Gemini 2 cuts large images into tiles (https://ai.google.dev/gemini-api/docs/tokens#multimodal-tokens).
  ({ width, height }) => {
    if (width <= 384 && height <= 384) return 258;
    const unit = Math.max(256, Math.min(768, Math.floor(Math.min(width, height) / 1.5)));
    return 258 * Math.ceil(width / unit) * Math.ceil(height / unit);
  },
  () => tokensOfGemini3,
  // Some OpenAI models count tiles, others patches as in the next rule
  // (https://platform.openai.com/docs/guides/images-vision#calculating-costs).
  (size) => {
    const fit = within(size, 2_048);
    const scale = Math.min(1, 768 / Math.min(fit.width, fit.height));
    const tiles = (side: number): number => Math.ceil((side * scale) / 512);
    return 85 + 170 * tiles(fit.width) * tiles(fit.height);
  },
  ({ width, height }) => Math.ceil(tokensOfPatch * Math.min(1_536, Math.ceil(width / 32) * Math.ceil(height / 32))),
];

/** Scales the size down until the longer side fits. */
function within({ width, height }: Size, most: number): Size {
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
