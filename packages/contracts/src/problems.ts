import type { SessionEnd } from './session-end.ts';

/**
 * The error catalogue (RFC 9457). Codes never change, titles may. Domain code throws a `Problem`; only the HTTP edge
 * knows status numbers; the browser translates by `code`. `reportable` are those that are a fault of ours: the operator
 * is told of each.
 */
export const problemCatalogue = {
  'platform.internal': { status: 500, title: 'Something failed on the server', reportable: true },
  'platform.invalid-request': { status: 400, title: 'The request does not match its schema' },
  'platform.malformed-json': { status: 400, title: 'The body is not valid JSON' },
  'platform.body-too-large': { status: 413, title: 'The body is larger than allowed' },
  'platform.unsupported-media-type': { status: 415, title: 'This content type is not accepted here' },
  'platform.not-found': { status: 404, title: 'Not found' },
  'platform.method-not-allowed': { status: 405, title: 'This method is not allowed here' },
  'platform.unauthenticated': { status: 401, title: 'Sign in first' },
  'platform.forbidden': { status: 403, title: 'A right is missing' },
  'platform.rights-changed': { status: 409, title: 'Rights were changed while this was on its way' },
  'platform.organisation-missing': { status: 400, title: 'Say which organisation is meant' },
  'platform.conflict': { status: 409, title: 'It was changed by somebody else meanwhile' },
  'platform.query-too-broad': { status: 400, title: 'This combination of filters is not offered' },
  'platform.rate-limited': { status: 429, title: 'Too many tries' },
  'platform.address-not-allowed': { status: 422, title: 'This address may not be called' },
  'platform.storage-full': { status: 507, title: 'The disk of the server is full' },
  'platform.unavailable': { status: 503, title: 'The service is not available now' },
  'bff.upstream-unavailable': { status: 503, title: 'A service did not answer' },
  'bff.upstream-timeout': { status: 504, title: 'A service took too long' },
  'bff.cross-site': { status: 403, title: 'The request did not come from this site' },
  'bff.not-by-key': { status: 403, title: 'An API key cannot do this' },
  'auth.invalid-credentials': { status: 401, title: 'E-mail or password is not right' },
  'auth.registration-closed': { status: 403, title: 'Registration is closed' },
  'auth.invitation-required': { status: 403, title: 'An invitation is needed' },
  'auth.setup-token-invalid': { status: 403, title: 'The setup link is not valid any more' },
  'auth.email-taken': { status: 409, title: 'There is an account with this e-mail' },
  'auth.password-wrong': { status: 422, title: 'The present password is not right' },
  'auth.sign-in-again': { status: 403, title: 'Enter the password again first' },
  'auth.link-ended': { status: 410, title: 'The link is no longer good' },
  'auth.password-too-common': { status: 422, title: 'This password is on the list of common passwords' },
  'auth.picture-unreadable': { status: 422, title: 'This file cannot be read as a picture' },
  'auth.picture-too-large': { status: 422, title: 'The picture has too many pixels' },
  'auth.api-key-invalid': { status: 401, title: 'The API key does not work' },
  'auth.api-keys-full': { status: 429, title: 'There are as many API keys as one person may have' },
  'org.creation-not-allowed': { status: 403, title: 'Creating organisations is reserved' },
  'org.too-many-organisations': { status: 429, title: 'You own as many organisations as you can create here' },
  'org.slug-taken': { status: 409, title: 'This URL name is taken' },
  'org.organisation-not-found': { status: 404, title: 'No such organisation' },
  'org.organisation-suspended': { status: 403, title: 'The organisation is suspended' },
  'org.last-owner': { status: 409, title: 'An organisation keeps one owner' },
  'org.beyond-own-rights': { status: 403, title: 'Nobody gives or takes rights that they do not have' },
  'org.would-lock-out': { status: 409, title: 'This would take your own way back' },
  'org.not-oneself': { status: 409, title: 'Not for oneself' },
  'org.seats-full': { status: 409, title: 'All seats are taken' },
  'org.member-not-found': { status: 404, title: 'No such member' },
  'org.access-ended': { status: 403, title: 'Your access to this organisation was ended' },
  'org.membership-suspended': { status: 403, title: 'Your membership is suspended' },
  'org.invitation-not-found': { status: 404, title: 'No such invitation' },
  'org.invitation-ended': { status: 410, title: 'The invitation is over' },
  'org.invitation-for-another': { status: 403, title: 'The invitation is for another address' },
  'org.address-not-proven': { status: 403, title: 'The address is not proven' },
  'org.inviter-lost-right': { status: 409, title: 'The inviter may not invite any more' },
  'org.role-not-found': { status: 404, title: 'No such role' },
  'org.name-taken': { status: 409, title: 'This name is taken' },
  'org.group-not-found': { status: 404, title: 'No such group' },
  'org.email-limit-reached': { status: 429, title: 'The limit of invitation emails is reached' },
  'org.message-not-allowed-yet': { status: 403, title: 'A message needs a verified address or an older account' },
  'org.limit-reached': { status: 429, title: 'The organisation has as many of these as it may' },
  'chat.conversation-not-found': { status: 404, title: 'No such conversation' },
  'chat.conversation-erased': { status: 410, title: 'The conversation was erased for good' },
  'chat.message-not-found': { status: 404, title: 'No such message' },
  'chat.generation-not-found': { status: 404, title: 'No such answer' },
  'chat.generation-running': { status: 409, title: 'An answer is being written in this conversation' },
  'chat.queue-full': { status: 409, title: 'As many questions wait in this conversation as there can be' },
  'chat.too-many-versions': { status: 409, title: 'There are as many versions as there may be' },
  'chat.chatbot-not-found': { status: 404, title: 'No such chatbot' },
  'chat.answer-interrupted': { status: 503, title: 'The answer ended before it was whole' },
  'chat.answer-stopped': { status: 403, title: 'The answer was stopped' },
  'chat.budget-spent': { status: 429, title: 'The budget is spent' },
  'chat.too-few-tests-pass': { status: 409, title: 'Too few tests pass on this draft' },
  'chat.model-not-found': { status: 422, title: 'No such model' },
  'chat.provider-not-found': { status: 404, title: 'No such provider' },
  'chat.context-too-long': { status: 400, title: 'The messages are longer than the context of the model' },
  'chat.provider-failed': { status: 502, title: 'The model server failed' },
  'chat.connection-not-found': { status: 404, title: 'No such data connection' },
  'chat.document-not-found': { status: 404, title: 'No such document' },
  'chat.document-file-missing': { status: 404, title: 'The file of the document is not kept' },
  'chat.document-type-not-supported': { status: 415, title: 'This kind of file is not supported' },
  'chat.document-empty': { status: 422, title: 'The file is empty' },
  'chat.document-limit-reached': { status: 429, title: 'The organisation holds as many passages as it may' },
  'chat.storage-quota-reached': { status: 413, title: 'The storage quota of the organisation is used up' },
  'chat.file-not-found': { status: 404, title: 'No such file' },
  'chat.file-not-ready': { status: 409, title: 'A file is still being read' },
  'chat.file-unreadable': { status: 422, title: 'A file could not be read' },
  'chat.import-not-found': { status: 404, title: 'No such import' },
  'chat.import-too-large': { status: 413, title: 'The upload is larger than allowed' },
  'chat.import-over-share': { status: 413, title: 'The upload takes too much of the storage quota' },
  'chat.imports-full': { status: 409, title: 'There are as many uploads as one person can have' },
  'chat.import-incomplete': { status: 409, title: 'The upload is not complete' },
  'chat.images-not-accepted': { status: 422, title: 'The model does not accept images' },
  'chat.image-too-large': { status: 413, title: 'An image is too large' },
  'chat.export-not-found': { status: 404, title: 'No such export' },
  'chat.export-running': { status: 409, title: 'An export is being written' },
  'chat.passage-not-found': { status: 404, title: 'No such passage' },
  'chat.feedback-not-found': { status: 404, title: 'No such feedback' },
  'chat.curated-answer-not-found': { status: 404, title: 'No such curated answer' },
  'monitoring.person-not-found': { status: 404, title: 'Nobody here has this pseudonym' },
  'billing.rate-not-found': { status: 404, title: 'No such price' },
  'billing.rate-overlaps': { status: 409, title: 'There is a price for this time' },
  'billing.budget-not-found': { status: 404, title: 'No such budget' },
  'billing.budget-exists': { status: 409, title: 'There is such a budget' },
  'billing.budget-spent': { status: 409, title: 'The budget is spent' },
  'billing.budgets-full': { status: 429, title: 'The organisation has as many budgets as it may' },
  'billing.no-prices': { status: 422, title: 'There are no prices yet' },
  'billing.other-currency': { status: 409, title: 'Prices are in another currency' },
  'billing.order-not-found': { status: 404, title: 'No such order' },
  'billing.invoice-not-found': { status: 404, title: 'No such invoice' },
  'billing.seats-not-sold': { status: 409, title: 'Seats are not sold' },
  'billing.no-seat-limit': { status: 409, title: 'There is no limit of seats' },
  'billing.price-changed': { status: 409, title: 'The price of a seat has changed' },
  'billing.orders-waiting': { status: 409, title: 'Too many orders wait' },
} as const satisfies Record<string, { status: number; title: string; reportable?: true }>;

export type ProblemCode = keyof typeof problemCatalogue;
export const problemCodes = Object.keys(problemCatalogue) as ProblemCode[];

/** Whether the operator is told of it: expected problems never are. */
export const isReportable = (code: ProblemCode): boolean => 'reportable' in problemCatalogue[code];

/** What a problem carries on the wire, `application/problem+json`. */
export type ProblemDetails = {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  /** What happened, why and what to do, in English; never a stack, never another tenant's content. */
  detail?: string;
  instance?: string;
  traceId?: string;
  /** Field errors of `platform.invalid-request`: a dotted path and what is wrong there. */
  errors?: { path: string; message: string }[];
  /** Seconds until another try makes sense (`platform.rate-limited`). */
  retryAfterSeconds?: number;
  /** The permission that is missing (`platform.forbidden`). */
  permission?: string;
  /** How the session came to its end, where that is known (`platform.unauthenticated`). */
  sessionEnd?: SessionEnd;
  /** What the model server said, shortened and without secrets (`chat.context-too-long`). */
  providerMessage?: string;
  /** The state that won (`platform.conflict`). */
  current?: unknown;
};

/** No answer gives more than that of a question back. */
const mostEchoed = 200;

type ProblemExtras = Partial<
  Pick<ProblemDetails, 'detail' | 'errors' | 'retryAfterSeconds' | 'permission' | 'sessionEnd' | 'current'>
>;

/** The one exception of domain code. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, extras: ProblemExtras = {}, options?: ErrorOptions) {
    super(extras.detail ?? problemCatalogue[code].title, options);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }

  /** The wire form; `traceId` joins it with the log. */
  toDetails(context: { instance?: string; traceId?: string } = {}): ProblemDetails {
    const { status, title } = problemCatalogue[this.code];
    const { instance, ...rest } = { ...this.extras, ...context };
    const shown = instance === undefined ? rest : { ...rest, instance: instance.slice(0, mostEchoed) };
    return { type: `urn:parley:problem:${this.code}`, title, status, code: this.code, ...shown };
  }
}
