import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Audience, Permission } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import {
  lastEvents,
  newPerson,
  plantMember,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

type Script = (response: ServerResponse) => void;
const words: Script = (response) => response.end(`${token('Hello ')}${token('there.')}${lastEvents(11, 2)}`);
export const messages = [{ role: 'user' as const, content: 'How many herons?' }];

/** The one thing that was thrown. */
export async function thrown(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => expect(null).toBe('an error'),
    (error: unknown) => error,
  );
}

/** An organisation whose model is a script, and whoever asks by API keys. */
export class CompletionsBench {
  /** How the model server answers, until the test ends. */
  script = words;
  running!: TestParley;
  owner!: ParleyClient;
  member!: ParleyClient;
  mock!: MockProvider;

  constructor() {
    beforeAll(() => this.start(), 90_000);
    afterAll(async () => {
      await this.running.close();
      this.mock.close();
    });
    afterEach(() => {
      this.script = words;
      this.mock.requests.length = 0;
    });
  }

  get baseUrl(): string {
    return `${this.running.url}/v1`;
  }

  async aKey(of = this.owner, permissions: Permission[] = ['chat:create', 'model:use']) {
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { id: newId('apiKey'), name: 'Program', permissions, endsAt };
    const { key, secret } = await of.call('POST /api/auth/my-api-keys', { body });
    return { id: key.id, secret: secret! };
  }

  openAi(apiKey: string): OpenAI {
    return new OpenAI({ apiKey, baseURL: this.baseUrl, maxRetries: 0 });
  }

  async newClient(of = this.owner): Promise<OpenAI> {
    return this.openAi((await this.aKey(of)).secret);
  }

  async defaultModel(): Promise<string> {
    return (await this.owner.call('GET /api/chat/chatbots')).items.find(({ isDefault }) => isDefault)!.id;
  }

  /** As the default one is, but for what is given. */
  async aChatbot(more: { audience?: Audience; model?: string | null; instructions?: string } = {}) {
    const { owner } = this;
    const params = { chatbotId: (await this.defaultModel()) as never };
    const { content } = await owner.call('GET /api/chat/chatbot-drafts/:chatbotId', { params });
    const body = { id: newId('chatbot'), content: { ...content, name: 'Grid Engineer', ...more } as typeof content };
    const draft = await owner.call('POST /api/chat/chatbot-drafts', { body });
    const published = { params: { chatbotId: draft.id }, body: { revision: draft.revision, note: '' } };
    await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', published);
    return draft.id;
  }

  async addModel(of: ParleyClient): Promise<void> {
    const { url: baseUrl } = this.mock;
    const provider = { name: 'Mock', baseUrl, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
    await of.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider } });
  }

  raw(apiKey: string, body: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    return fetch(`${this.baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  private async start(): Promise<void> {
    this.mock = await startMockProvider((_request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      this.script(response);
    });
    this.running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: this.mock.address });
    const { url, parley } = this.running;
    const setupToken = new URL(parley.setupUrl ?? '').searchParams.get('setup') ?? '';
    this.owner = await newPerson(url, { organisation: 'Lindmoor Energy', setupToken });
    this.member = await newPerson(url);
    await plantMember(parley, this.member, this.owner, 'member');
    await this.addModel(this.owner);
  }
}
