import { expect } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually, startStoreSwitch, type StoreSwitch } from '@parley/testing';
import { ParleyClient, ReadingTab } from '@parley/testing/client';
import type { Infrastructure, Running } from '@parley/testing/distributed';
import { ask } from './callers.ts';
import { startCountingModel, type CountingModel } from './counting-model.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';
import { gaugeOf, TwoOfEach } from './two-of-each.ts';

export const password = 'three quiet herons';
const triesForADoor = 20;

/** Two of each process over a store that can be switched off, and two people who ask. */
export class OutageScene {
  running!: TwoOfEach;
  store!: StoreSwitch;
  model!: SlowModel;
  countingModel!: CountingModel;
  /** Asks the slow model, which a test lets speak. */
  ines!: ParleyClient;
  /** Asks the built-in assistant. */
  omar!: ParleyClient;
  /** How a program of Omar's asks for a whole answer. */
  private program!: { readonly key: string; readonly model: string };
  private readonly tabs: ReadingTab[] = [];

  constructor(private readonly servers: Infrastructure) {}

  async start(): Promise<void> {
    this.model = await startSlowModel();
    this.countingModel = await startCountingModel();
    this.store = await startStoreSwitch(this.servers.mongoUrl);
    this.running = await TwoOfEach.start(
      { ...this.servers, mongoUrl: this.store.uri },
      { PARLEY_OUTBOUND_ALLOW: `${this.model.address},${this.countingModel.address}` },
    );
    this.ines = await this.newOwner('Ines');
    this.omar = await this.newOwner('Omar');
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = { id: newId('apiKey'), name: 'Board', permissions: ['chat:create' as const], endsAt };
    const { secret } = await this.omar.call('POST /api/auth/my-api-keys', { body: key });
    const { items } = await this.omar.call('GET /api/chat/chatbots');
    this.program = { key: secret!, model: items[0]!.id };
    await this.ines.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Slow',
        baseUrl: this.model.url,
        models: ['slow-1'],
        defaultModel: 'slow-1',
        isDefault: true,
      },
    });
  }

  /** Also what a start that failed half-way has left. */
  async close(): Promise<void> {
    for (const tab of this.tabs) tab.close();
    await this.running?.close();
    await this.store?.close();
    this.model?.close();
    this.countingModel?.close();
  }

  /** A tab whose socket hangs on that BFF: the balancer decides, so it takes some tries. */
  async openTab(bff: Running | undefined, person: ParleyClient, conversationId: ConversationId): Promise<ReadingTab> {
    for (let tries = 1; tries <= triesForADoor; tries += 1) {
      const before = await gaugeOf(bff!, 'parley_socket_open');
      const tab = new ReadingTab(person, conversationId);
      this.tabs.push(tab);
      await tab.connected();
      if ((await gaugeOf(bff!, 'parley_socket_open')) > before) return tab;
      tab.close();
    }
    throw new Error(`No socket came to BFF ${bff!.copy + 1}.`);
  }

  /** A question to the slow model, which has said its first word. */
  async askSlowly(conversationId = newId('conversation')): Promise<ConversationId> {
    const others = this.model.asked;
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await eventually(() => this.ines.send(conversationId, 'Count to four', ids), 'the question should be taken');
    await eventually(() => this.model.asked > others, 'the model should be asked');
    this.model.say('one ');
    return conversationId;
  }

  /** As `askSlowly` in a conversation that these tabs have open: when each had the first word, from the asking on. */
  async askInOpenTabs(conversationId: ConversationId, tabs: readonly ReadingTab[]): Promise<number[]> {
    const known = new Set(tabs.map(({ answer }) => answer.place?.generationId));
    const heardAt = tabs.map(
      ({ socket }) =>
        new Promise<number>((resolve) => {
          socket.on('generation.frame', ([id, , , , delta]) => {
            if (!known.has(id) && delta !== '') resolve(Date.now());
          });
        }),
    );
    const askedAt = Date.now();
    await this.askSlowly(conversationId);
    return (await Promise.all(heardAt)).map((at) => at - askedAt);
  }

  /** Asks until the server says yes, with the same ids each time, as the page does; resolves with the answer's text. */
  async askAndRead(person: ParleyClient): Promise<string> {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await eventually(() => person.send(conversationId, 'What can you do?', ids), 'a question should be taken');
    return eventually(async () => {
      const answer = (await person.messages(conversationId)).items[1];
      expect(answer?.generation?.status).toBe('done');
      return answer?.text ?? '';
    }, 'the answer should end');
  }

  /** Somebody new in the organisation of that owner. */
  async join(owner: ParleyClient, name: string): Promise<ParleyClient> {
    const person = new ParleyClient(this.running.url);
    await person.register({ name, email: `${name.toLowerCase()}@example.com`, password });
    const { token } = await owner.call('POST /api/org/invitation-links', {
      body: { id: newId('invitation'), label: name, role: 'member', groupIds: [], domain: null, places: 1, days: 1 },
    });
    person.orgId = (await person.call('POST /api/org/my-invitations/accept', { body: { token } })).id;
    return person;
  }

  /** Reads and writes of three services, signed in and not, and a program's question, all at the same time. */
  askAll(): Promise<Awaited<ReturnType<typeof ask>>[]> {
    const { omar, running } = this;
    return Promise.all([
      ask(omar, 'GET', '/api/auth/me'),
      ask(omar, 'GET', '/api/chat/conversations'),
      ask(omar, 'GET', '/api/org/organisations'),
      ask(omar, 'POST', `/api/chat/conversations/${newId('conversation')}/messages`, {
        messageId: newId('message'),
        answerId: newId('message'),
        generationId: newId('generation'),
        text: 'Hello',
      }),
      ask(new ParleyClient(running.url), 'POST', '/api/auth/sessions', { email: 'omar@example.com', password }),
      ask(new ParleyClient(running.url), 'GET', '/api/auth/registration'),
      this.askByProgram(),
    ]);
  }

  probeAll(path: string): Promise<number[]> {
    return Promise.all(this.running.all.map(async (each) => (await each.probe(path)).status));
  }

  allReady(): Promise<void> {
    return eventually(async () => expect(await this.running.unready()).toEqual([]), 'all should be ready', 120_000);
  }

  /** Programs are told a code without its service. */
  private async askByProgram(): ReturnType<typeof ask> {
    const { key, model } = this.program;
    const askedAt = Date.now();
    const response = await fetch(`${this.running.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'What can you do?' }] }),
    });
    const { error } = (await response.json()) as { error?: { code?: unknown } };
    return { status: response.status, code: `platform.${String(error?.code)}`, ms: Date.now() - askedAt };
  }

  async newOwner(name: string): Promise<ParleyClient> {
    const person = new ParleyClient(this.running.url);
    await person.register({ name, email: `${name.toLowerCase()}@example.com`, password });
    await person.createOrganisation(name);
    return person;
  }
}
