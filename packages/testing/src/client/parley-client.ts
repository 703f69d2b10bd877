import type {
  ChatbotId,
  Accepted,
  ApiRoute,
  AskedFile,
  ChatFile,
  ClientToServer,
  ContractOf,
  Conversation,
  ConversationId,
  Document,
  DocumentId,
  FileId,
  ImportId,
  GenerationId,
  LedgerEntry,
  Me,
  MessageId,
  ModelKey,
  ProjectId,
  Organisation,
  ServerToClient,
} from '@parley/contracts';
import {
  csrfHeader,
  organisationHeader,
  type CallOf,
  type OrgId,
  type ProblemDetails,
  type ResponseOf,
} from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { setTimeout as wait } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';

const againAfterMs = 400;

/** A problem that the server answered with. */
export class RefusedCall extends Error {
  readonly status: number;
  readonly problem: ProblemDetails;
  constructor(status: number, problem: ProblemDetails) {
    super(`${status} ${problem.code}: ${problem.detail ?? problem.title} ${JSON.stringify(problem.errors ?? '')}`);
    this.status = status;
    this.problem = problem;
  }
}

type Answer<Route extends ApiRoute> = ResponseOf<ContractOf<Route>>;
/** What the contract wants; the organisation is the client's own unless another one is given. */
type Call<Route extends ApiRoute> = CallOf<ContractOf<Route>> & { readonly orgId?: OrgId };
type CallArguments<Route extends ApiRoute> = object extends Call<Route> ? [call?: Call<Route>] : [call: Call<Route>];
type AnyCall = {
  readonly orgId?: OrgId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
};

type RawOptions = {
  readonly headers?: Record<string, string>;
  readonly body?: Exclude<NonNullable<RequestInit['body']>, ReadableStream>;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
};

export type LiveSocket = Socket<ServerToClient, ClientToServer>;

/** A person's browser without the browser: cookie, CSRF header, organisation, socket. */
export class ParleyClient {
  readonly url: string;
  private cookie = '';
  orgId: OrgId | null = null;
  me: Me | null = null;
  /** Comes from this address, as a trusted proxy would say. */
  address: string | null = null;

  constructor(url: string) {
    this.url = url;
  }

  /**
   * `call('GET /api/chat/documents', { query })`, typed by the contract of the route; for anything else there is
   * `request`.
   */
  async call<Route extends ApiRoute>(route: Route, ...[given]: CallArguments<Route>): Promise<Answer<Route>> {
    const { orgId, body, ...place } = (given ?? {}) as AnyCall;
    const [method, path] = addressOf(route, place);
    return readAnswer<Answer<Route>>(
      await this.request(method, path, {
        ...(orgId && { headers: { [organisationHeader]: orgId } }),
        ...(body !== undefined && { body: JSON.stringify(body), contentType: 'application/json' }),
      }),
    );
  }

  /** Asks once more where rights were changed meanwhile, as the page does: it was refused before anything was done. */
  async request(method: string, path: string, options: RawOptions = {}): Promise<Response> {
    const response = await this.raw(method, path, options);
    if (response.status !== 409) return response;
    const { code } = (await response.clone().json()) as ProblemDetails;
    if (code !== 'platform.rights-changed') return response;
    await wait(againAfterMs);
    return this.raw(method, path, options);
  }

  /** Asks exactly once. */
  async raw(method: string, path: string, options: RawOptions = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(method !== 'GET' && { [csrfHeader]: '1' }),
        ...(this.orgId && { [organisationHeader]: this.orgId }),
        ...(this.address && { 'x-forwarded-for': this.address }),
        ...(options.contentType && { 'content-type': options.contentType }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: options.body }),
      ...(options.signal && { signal: options.signal }),
    });
    const set = response.headers.getSetCookie()[0];
    if (set) this.cookie = set.split(';')[0] ?? '';
    return response;
  }

  async register(person: {
    name: string;
    email: string;
    password: string;
    setupToken?: string;
    invitation?: string;
  }): Promise<Me> {
    this.me = await this.call('POST /api/auth/users', { body: { id: newId('user'), locale: 'en', ...person } });
    return this.me;
  }

  async signIn(email: string, password: string): Promise<Me> {
    this.me = await this.call('POST /api/auth/sessions', { body: { email, password } });
    return this.me;
  }

  async createOrganisation(name: string): Promise<Organisation> {
    const organisation = await this.call('POST /api/org/organisations', { body: { id: newId('organisation'), name } });
    this.orgId = organisation.id;
    return organisation;
  }

  async send(
    conversationId: ConversationId,
    text: string,
    ids: Partial<{
      messageId: MessageId;
      parentId: MessageId | null;
      answerId: MessageId;
      generationId: GenerationId;
      model: ModelKey;
      chatbotId: ChatbotId;
      projectId: ProjectId;
      files: AskedFile[];
    }> = {},
  ): Promise<Accepted> {
    const body = {
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text,
      ...ids,
    };
    return this.call('POST /api/chat/conversations/:conversationId/messages', { params: { conversationId }, body });
  }

  async messages(
    conversationId: ConversationId,
    query: Call<typeof listMessages>['query'] = {},
  ): Promise<Answer<typeof listMessages>> {
    return this.call(listMessages, { params: { conversationId }, query });
  }

  /** A page of one path, as the pages read a chat. */
  async path(
    conversationId: ConversationId,
    query: Call<typeof listPath>['query'] = {},
  ): Promise<Answer<typeof listPath>> {
    return this.call(listPath, { params: { conversationId }, query });
  }

  /** The newest hundred, newest first. */
  /** All of them, newest first. */
  async ledgerEntries(): Promise<LedgerEntry[]> {
    const all: LedgerEntry[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await this.call('GET /api/billing/ledger-entries', { query: { limit: 100, cursor } });
      all.push(...page.items);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  }

  async conversations(): Promise<Conversation[]> {
    return (await this.call('GET /api/chat/conversations')).items;
  }

  async upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<Document> {
    const [method, path] = addressOf('POST /api/chat/documents', { query: { id: newId('document'), name } });
    const response = await this.request(method, path, { body: content, contentType: 'application/octet-stream' });
    return readAnswer<Document>(response);
  }

  /** Uploads a file for questions and drafts. */
  async attach(id: FileId, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<ChatFile> {
    const [method, path] = addressOf('POST /api/chat/files', { query: { id, name } });
    const response = await this.request(method, path, { body: content, contentType: 'application/octet-stream' });
    return readAnswer<ChatFile>(response);
  }

  /** One part of an upload of chats. */
  async sendImportPart(
    { importId, ...place }: { readonly importId: ImportId; readonly number: number; readonly part: number },
    content: string | Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    const params = { importId, number: String(place.number), part: String(place.part) };
    const [method, path] = addressOf('PUT /api/chat/imports/:importId/files/:number/parts/:part', { params });
    const response = await this.request(method, path, { body: content, contentType: 'application/octet-stream' });
    if (!response.ok) await readAnswer(response);
  }

  /** A newer version of a document in its place. */
  async replace(documentId: DocumentId, name: string, content: string | Uint8Array<ArrayBuffer>): Promise<Document> {
    const place = { params: { documentId }, query: { name } };
    const [method, path] = addressOf('PUT /api/chat/documents/:documentId/content', place);
    const response = await this.request(method, path, { body: content, contentType: 'application/octet-stream' });
    return readAnswer<Document>(response);
  }

  /** The browser's cookie, for a second tab or device of the same session. */
  copy(): ParleyClient {
    const other = new ParleyClient(this.url);
    other.cookie = this.cookie;
    other.orgId = this.orgId;
    other.me = this.me;
    return other;
  }

  socket(): LiveSocket {
    return io(this.url, {
      transports: ['websocket'],
      auth: { orgId: this.orgId },
      extraHeaders: { cookie: this.cookie, origin: this.url },
      forceNew: true,
      reconnectionDelay: 100,
      reconnectionDelayMax: 500,
    });
  }
}

const listMessages = 'GET /api/chat/conversations/:conversationId/messages';
const listPath = 'GET /api/chat/conversations/:conversationId/path';

/** Method and path of a route, with its parameters filled in and its query. */
function addressOf(route: ApiRoute, { params = {}, query = {} }: AnyCall): [method: string, path: string] {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return [method, search.size === 0 ? path : `${path}?${search.toString()}`];
}

async function readAnswer<Value>(response: Response): Promise<Value> {
  const text = await response.text();
  if (!response.ok) throw new RefusedCall(response.status, JSON.parse(text) as ProblemDetails);
  return (text === '' ? undefined : JSON.parse(text)) as Value;
}
