import type { GenerationFailure } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { ModelFailure } from './model-client.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What the system says of a name that leads nowhere, or that it cannot look up. */
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME', 'ENODATA']);
/** How OpenAI and what is compatible with it, llama.cpp (with 500), Anthropic and Google say that a text is too long. */
const saysTooLong =
  /context_length_exceeded|maximum context length|context (size|window)|prompt is too long|is too large to process|input token count.{0,80}exceeds/is;
/** Google calls a key that it does not know a bad request. */
const saysBadKey = /API_KEY_INVALID|API key not valid/;
type Called = { readonly baseUrl: string; readonly apiKey: string | null };

/**
 * Sorts a provider's error by its HTTP status; without one the connection failed. A host that nobody knows is named, a
 * key is not told on.
 */
export function toModelFailure(error: unknown, { baseUrl, apiKey }: Called): ModelFailure {
  const known = inside(error, ModelFailure);
  if (known) return known;
  const problem = inside(error, Problem);
  if (problem) return new ModelFailure('provider-unreachable', problem.extras.detail ?? null, { cause: problem });
  const reason = reasonOf(error);
  if (reason === 'provider-unknown-host') return new ModelFailure(reason, new URL(baseUrl).hostname, { cause: error });
  const call = error as Refusal & { readonly message?: string };
  const said = withoutSecrets(call.responseBody ?? reasonCode(error) ?? call.message ?? String(error), apiKey);
  const detail = reason === 'provider-rate-limited' ? `${said}${waitOf(call)}` : said;
  return new ModelFailure(reason, detail, { cause: error });
}

/** What a server says with a status that is no success. */
type Refusal = {
  readonly statusCode?: number;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string | string[] | undefined>>;
};

/** How long to wait, where the server says it in seconds. */
function waitOf({ responseHeaders }: Refusal): string {
  const seconds = responseHeaders?.['retry-after'];
  return typeof seconds === 'string' && /^\d{1,6}$/.test(seconds) ? ` Retry-After: ${seconds} s` : '';
}

/** The error that it is, or that somebody has wrapped. */
function inside<Found extends Error>(error: unknown, wanted: abstract new (...args: never[]) => Found): Found | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof wanted) return cause;
  return null;
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
  const { statusCode, responseBody } = error as Refusal;
  if ((error as Error).name === 'TimeoutError') return 'provider-stalled';
  if (isCut(error)) return 'provider-cut';
  if (statusCode === 401 || statusCode === 403) return 'provider-refused';
  if (statusCode === 400 && saysBadKey.test(responseBody ?? '')) return 'provider-refused';
  if (statusCode === 404) return 'model-missing';
  if (statusCode === 429) return 'provider-rate-limited';
  if (statusCode === 503 || statusCode === 529) return 'provider-overloaded';
  const mayBeTooLong = statusCode === 400 || statusCode === 500;
  if (statusCode === 413 || (mayBeTooLong && saysTooLong.test(responseBody ?? ''))) return 'context-too-long';
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
