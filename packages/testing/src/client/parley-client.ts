import type {
  Accepted,
  ClientToServer,
  Conversation,
  ConversationId,
  Me,
  Message,
  MessageId,
  Organisation,
  OrgId,
  ProblemDetails,
  ServerToClient,
  GenerationId,
  LedgerEntry,
  UserId,
} from '@parley/contracts';
import { csrfHeader, organisationHeader } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { io, type Socket } from 'socket.io-client';

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

  async call<Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await this.raw(method, path, {
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      ...(body !== undefined && { contentType: 'application/json' }),
    });
    const text = await response.text();
    if (!response.ok) throw new RefusedCall(response.status, JSON.parse(text) as ProblemDetails);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  }

  async raw(
    method: string,
    path: string,
    options: {
      headers?: Record<string, string>;
      body?: NonNullable<RequestInit['body']>;
      contentType?: string;
      signal?: AbortSignal;
    } = {},
  ): Promise<Response> {
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

  async register(person: { name: string; email: string; password: string; setupToken?: string }): Promise<Me> {
    this.me = await this.call<Me>('POST', '/api/auth/users', { id: newId('user') as UserId, locale: 'en', ...person });
    return this.me;
  }

  async signIn(email: string, password: string): Promise<Me> {
    this.me = await this.call<Me>('POST', '/api/auth/sessions', { email, password });
    return this.me;
  }

  async createOrganisation(name: string): Promise<Organisation> {
    const organisation = await this.call<Organisation>('POST', '/api/org/organisations', {
      id: newId('organisation'),
      name,
    });
    this.orgId = organisation.id;
    return organisation;
  }

  async send(
    conversationId: ConversationId,
    text: string,
    ids: Partial<{ messageId: MessageId; answerId: MessageId; generationId: GenerationId; model: string }> = {},
  ): Promise<Accepted> {
    const body = {
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text,
      ...ids,
    };
    return this.call<Accepted>('POST', `/api/chat/conversations/${conversationId}/messages`, body);
  }

  async messages(
    conversationId: ConversationId,
    query = '',
  ): Promise<{ items: Message[]; sequence: number; hasOlder: boolean }> {
    return this.call('GET', `/api/chat/conversations/${conversationId}/messages${query}`);
  }

  /** The newest hundred, newest first. */
  async ledgerEntries(): Promise<LedgerEntry[]> {
    return (await this.call<{ items: LedgerEntry[] }>('GET', '/api/billing/ledger-entries?limit=100')).items;
  }

  async conversations(): Promise<Conversation[]> {
    return (await this.call<{ items: Conversation[] }>('GET', '/api/chat/conversations')).items;
  }

  async upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<{ id: string; status: string }> {
    const response = await this.raw(
      'POST',
      `/api/chat/documents?id=${newId('document')}&name=${encodeURIComponent(name)}`,
      { body: content, contentType: 'application/octet-stream' },
    );
    const answer = (await response.json()) as { id: string; status: string };
    if (!response.ok) throw new RefusedCall(response.status, answer as unknown as ProblemDetails);
    return answer;
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
