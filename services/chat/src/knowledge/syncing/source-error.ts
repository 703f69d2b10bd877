import type { SourceFailure } from '@parley/contracts';
import { Problem } from '@parley/protocol';

/** Why a source cannot be read at all. What is wrong with one document of it is none. */
export class SourceError extends Error {
  constructor(
    readonly failure: SourceFailure,
    /** What it said, for whoever manages the connection; never a secret. */
    readonly detail: string | null = null,
    options?: ErrorOptions,
  ) {
    super(`the source failed: ${failure}`, options);
  }
}

/** What a call that came to nothing says about its source. */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof Problem && error.code === 'platform.address-not-allowed')
    return new SourceError('not-allowed', error.message, { cause: error });
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const said = typeof code === 'string' ? code : typeof name === 'string' ? name : null;
  return new SourceError('unreachable', said, { cause: error });
}
