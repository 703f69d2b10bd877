import type { ConversationId, Group } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient } from '@parley/testing/client';
import { SilentClient } from './silent-clients.ts';

const password = 'three quiet herons';
const largeMessages = 8;
let people = 0;

/** Somebody with an organisation of their own, a long chat and a key, for clients that never read. */
export class UnreadPerson {
  private readonly client: ParleyClient;
  private cookie = '';
  private secret = '';
  private chatbotId = '';
  private readonly longChat = newId('conversation');
  private script = '';
  private group!: Group;

  private constructor(url: string) {
    this.client = new ParleyClient(url);
    this.client.address = `203.0.113.${(people += 1) % 250}`;
  }

  static async found(url: string, modelUrl: string): Promise<UnreadPerson> {
    const person = new UnreadPerson(url);
    await person.settle(modelUrl);
    return person;
  }

  /** Asks for an answer of 150,000 characters, which takes 50 s. */
  async askLong(): Promise<ConversationId> {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    // Five hundred clients at once may keep a small machine from asking for revocations in time.
    await eventually(() => this.client.send(conversationId, 'tokens=15000 rate=300', ids), 'the question is taken');
    return conversationId;
  }

  /** Makes an event of some hundred bytes. */
  async makeEvent(): Promise<void> {
    const { id, version } = this.group;
    const body = { name: `Group ${version}`, version };
    this.group = await this.client.call('PATCH /api/org/groups/:groupId', { params: { groupId: id }, body });
  }

  socket(conversationId: ConversationId): SilentClient {
    const packets = [
      `40${JSON.stringify({ orgId: this.client.orgId })}`,
      `420${JSON.stringify(['conversation.open', { conversationId }])}`,
    ];
    return SilentClient.live(this.client.url, { cookie: this.cookie, packets });
  }

  events(): SilentClient {
    return new SilentClient(this.client.url, [
      'GET /v1/events?cursor=0 HTTP/1.1',
      `authorization: Bearer ${this.secret}`,
    ]);
  }

  completion(): SilentClient {
    const messages = [{ role: 'user', content: 'tokens=2000 rate=100' }];
    const body = JSON.stringify({ model: this.chatbotId, messages, stream: true });
    const lines = ['POST /v1/chat/completions HTTP/1.1', `authorization: Bearer ${this.secret}`];
    return new SilentClient(this.client.url, lines, body);
  }

  /** In turns a page of messages, the script of the frontend and a page of it. */
  download(at: number): SilentClient {
    const paths = [`/api/chat/conversations/${this.longChat}/messages?limit=100`, this.script, '/en/sign-in'];
    const path = paths[at % paths.length]!;
    return new SilentClient(this.client.url, [
      `GET ${path} HTTP/1.1`,
      `cookie: ${this.cookie}`,
      `parley-org: ${this.client.orgId}`,
    ]);
  }

  private async settle(modelUrl: string): Promise<void> {
    const { client } = this;
    const email = `${newId('user').toLowerCase()}@example.com`;
    await client.register({ name: 'Bench', email, password });
    await client.createOrganisation('Bench');
    const models = { models: ['m'], defaultModel: 'm', isDefault: true };
    await client.call('POST /api/chat/providers', {
      body: { id: newId('provider'), name: 'Mock', baseUrl: modelUrl, ...models },
    });
    const permissions = ['events:read' as const, 'chat:create' as const, 'model:use' as const];
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = { id: newId('apiKey'), name: 'Bench', permissions, endsAt };
    this.secret = (await client.call('POST /api/auth/my-api-keys', { body: key })).secret!;
    this.chatbotId = (await client.call('GET /api/chat/chatbots')).items.find(({ isDefault }) => isDefault)!.id;
    const session = await client.raw('POST', '/api/auth/sessions', {
      body: JSON.stringify({ email, password }),
      contentType: 'application/json',
    });
    this.cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    this.group = await client.call('POST /api/org/groups', { body: { id: newId('group'), name: 'Night shift' } });
    const page = await (await client.raw('GET', '/en/sign-in')).text();
    this.script = /\/assets\/index-[^"]+\.js/.exec(page)?.[0] ?? '/';
    await this.writeLongChat();
  }

  private async writeLongChat(): Promise<void> {
    for (let sent = 0; sent < largeMessages; sent += 1) {
      await this.client.send(this.longChat, `tokens=1 rate=1000 ${'heron '.repeat(5_000)}`);
      await eventually(async () => {
        const [answer] = (await this.client.messages(this.longChat, { limit: 1 })).items;
        if (answer?.role !== 'assistant' || !answer.generation?.finishedAt) throw new Error('It is being written.');
      }, 'the answer should end');
    }
  }
}
