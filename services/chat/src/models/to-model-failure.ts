import { Problem, type GenerationFailure } from '@parley/contracts';
import { ModelFailure } from './model-client.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What the system says of a name that leads nowhere, or that it cannot look up. */
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME', 'ENODATA']);
type Called = { readonly baseUrl: string; readonly apiKey: string | null };

/**
 * Sorts a provider's error by its HTTP status; without one the connection failed. A host that nobody knows is named, a
 * key is not told on.
 */
export function toModelFailure(error: unknown, { baseUrl, apiKey }: Called): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof Problem)
    return new ModelFailure('provider-unreachable', error.extras.detail ?? null, { cause: error });
  const reason = reasonOf(error);
  if (reason === 'provider-unknown-host') return new ModelFailure(reason, new URL(baseUrl).hostname, { cause: error });
  const call = error as { statusCode?: number; responseBody?: string; message?: string };
  const said = call.responseBody ?? reasonCode(error) ?? call.message ?? String(error);
  return new ModelFailure(reason, withoutSecrets(said, apiKey), { cause: error });
}

/** What the system said of a connection that failed, like ECONNREFUSED. */
function reasonCode(error: unknown): string | null {
  for (
    let cause = error as { code?: unknown; cause?: unknown } | undefined;
    cause;
    cause = cause.cause as typeof cause
  ) {
    if (typeof cause.code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+|[A-Z_]*CERT\w*)$/.test(cause.code)) return cause.code;
  }
  return null;
}

function reasonOf(error: unknown): GenerationFailure {
  const { statusCode } = error as { statusCode?: number };
  if ((error as Error).name === 'TimeoutError') return 'provider-stalled';
  if (isCut(error)) return 'provider-cut';
  if (statusCode === 401 || statusCode === 403) return 'provider-refused';
  if (statusCode === 404) return 'model-missing';
  if (statusCode === 429) return 'provider-rate-limited';
  if (statusCode !== undefined) return 'provider-error';
  const code = reasonCode(error);
  if (code !== null && unknownHost.has(code)) return 'provider-unknown-host';
  return code === null ? 'provider-error' : 'provider-unreachable';
}

function isCut(error: unknown): boolean {
  for (
    let cause = error as { code?: string; message?: string; cause?: unknown } | undefined;
    cause;
    cause = cause.cause as typeof cause
  ) {
    if (cause.code === 'UND_ERR_SOCKET' || cause.code === 'ECONNRESET' || cause.message === 'terminated') return true;
  }
  return false;
}
