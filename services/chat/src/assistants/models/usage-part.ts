import type { ModelPart } from './model-client.ts';

/** A larger count is none: it would break every sum that it is part of. */
const mostTokens = 100_000_000;

/** What a server says was used; null where it says no counts, or some that cannot be. */
export function usagePart(inputTokens: unknown, outputTokens: unknown, cached: unknown): ModelPart | null {
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null;
  const kept = isCount(cached) && cached > 0 ? { cachedTokens: Math.min(cached, inputTokens) } : {};
  return { kind: 'usage', inputTokens, outputTokens, ...kept };
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens;
