import type { Problem, ProblemCode, ProblemDetails } from '@parley/protocol';
import { quotaLimits } from '../limits/quotas.ts';
import { notOffered, tooLongToRead } from '../services/chat/answers/completions.ts';
import { routeEntries } from './routes.ts';

/** The form of errors that OpenAI's clients read (https://platform.openai.com/docs/guides/error-codes). */
export type OpenAiError = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
  /** The error message that the model server sent. */
  readonly details?: { readonly provider_message: string };
};

/** The message of request validation about a property that the contract doesn't have. */
export const unknownKey = 'has keys that nobody expects';

const limited = { type: 'rate_limit_error', code: 'rate_limit_exceeded' } as const;
const contextTooLong = 'context_length_exceeded';
/** Maps problem codes to the names that OpenAI's clients look for. Other problems get a code in OpenAI's spelling. */
const known: Partial<Record<ProblemCode, Partial<Omit<OpenAiError, 'message'>>>> = {
  'auth.api-key-invalid': { code: 'invalid_api_key' },
  'platform.unauthenticated': { code: 'invalid_api_key' },
  'platform.forbidden': { code: 'insufficient_permissions' },
  'platform.rate-limited': limited,
  'chat.storage-quota-reached': limited,
  'chat.chatbot-not-found': { code: 'model_not_found', param: 'model' },
  'chat.model-not-found': { code: 'model_not_found', param: 'model' },
  'chat.context-too-long': { code: contextTooLong, param: 'messages' },
  'chat.images-not-accepted': { param: 'messages' },
  'chat.image-too-large': { param: 'messages' },
  'chat.file-unreadable': { code: 'image_unreadable', param: 'messages' },
  'chat.budget-spent': { type: 'insufficient_quota', code: 'insufficient_quota' },
};

/** Returns a problem in the form that OpenAI's clients expect. */
export function toOpenAiError(details: ProblemDetails): OpenAiError {
  const { code, status, title, detail, errors = [], instance, providerMessage } = details;
  const isModel = code === 'platform.not-found' && instance?.startsWith(models) === true;
  const [wrong] = errors.map(({ path, message }) => ({ param: withoutBody(path), message }));
  return {
    message: (wrong && `${wrong.param}: ${wrong.message}.`) ?? detail ?? `${title}.`,
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    param: wrong?.param ?? null,
    code: wrong ? codeOfWrong(wrong.message) : code.replace(/^\w+\./, '').replaceAll('-', '_'),
    ...known[isModel ? 'chat.chatbot-not-found' : code],
    ...(providerMessage && { details: { provider_message: providerMessage } }),
  };
}

const models = '/v1/models/';
const withoutBody = (path: string): string => path.replace(/^body\./, '');

function codeOfWrong(message: string): string {
  if (message === unknownKey) return 'unknown_parameter';
  if (message.startsWith(tooLongToRead)) return contextTooLong;
  return message.startsWith(notOffered) ? 'unsupported_parameter' : 'invalid_value';
}

/**
 * Lists problems for which OpenAI's clients are told not to retry, as they would after 409 and 429: a prompt retry
 * can't solve them. A full quota has room only after something is deleted.
 */
const neverAgain: readonly ProblemCode[] = [
  'chat.budget-spent',
  ...Object.values(quotaLimits).map(({ problem }) => problem),
];

/** Matches the routes that OpenAI's clients call: all of `/v1` that is not Parley's own. */
const isOfOpenAi = (path: string): boolean =>
  path.startsWith('/v1/') && !routeEntries.some(([, route]) => route.path === path && route.errors === undefined);

/** Tells clients after how many seconds to retry (`retry-after`) if a 503 problem doesn't say so itself. */
const busySeconds = 2;

/** Holds status, headers and body of an error response. */
export type ProblemAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Builds the response to a failed request, for every HTTP edge. Routes of OpenAI's clients get `error` beside the
 * problem, and each client reads the part that it knows.
 */
export function problemAnswer(
  problem: Problem,
  { path, traceId }: { readonly path: string; readonly traceId: string },
): ProblemAnswer {
  const details = problem.toDetails({ instance: path, traceId });
  const { status } = details;
  const retryAfterSeconds = details.retryAfterSeconds ?? (status === 503 ? busySeconds : undefined);
  const isForOpenAi = isOfOpenAi(path);
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(isForOpenAi && neverAgain.includes(details.code) && { 'x-should-retry': 'false' }),
  };
  const body = isForOpenAi ? { error: toOpenAiError(details), ...details } : details;
  return { status, headers, body: JSON.stringify(body) };
}
