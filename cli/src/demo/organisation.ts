import type { BudgetScope, ChatbotId, ConnectionId, GroupId, ModelKey, ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { UserId } from '@parley/protocol';
import { setTimeout as wait } from 'node:timers/promises';
import { Browser, type Account } from './browser.ts';
import type { DemoFile, DemoOrganisation, DemoPerson, DemoProject, Handle } from './content/content.ts';

const mostWaitMs = 120_000;
const lookAgainMs = 15;
const micros = 1_000_000;
/** In the installation's currency, for a million tokens. */
const prices = [
  { model: 'aurora-large', inputMicros: 15 * micros, outputMicros: 75 * micros, cachedMicros: 1.5 * micros },
  { model: 'aurora-mini', inputMicros: 1 * micros, outputMicros: 5 * micros, cachedMicros: 0.1 * micros },
];

/** The first prices of the installation. */
export async function setPrices(admin: Browser): Promise<void> {
  for (const price of prices)
    await admin.call('POST /api/billing/rates', {
      body: {
        id: newId('rate'),
        currency: 'EUR',
        host: null,
        ...price,
        validFrom: null,
        validUntil: null,
        replaces: null,
      },
    });
}

type Given = {
  readonly url: string;
  readonly owner: Account;
  readonly content: DemoOrganisation;
  readonly modelAddress: string;
};

/** An organisation of the demo with everything that its people find there. */
export class Organisation {
  readonly content: DemoOrganisation;
  readonly owner: Browser;
  readonly chatbots = new Map<string, ChatbotId>();
  readonly projects = new Map<string, ProjectId>();
  private readonly groups = new Map<string, GroupId>();
  private readonly links = new Map<string, Promise<string>>();
  private joining = Promise.resolve();
  private readonly people = new Map<Handle, Promise<{ readonly browser: Browser; readonly userId: UserId }>>();

  constructor(
    private readonly given: Given,
    owner: Browser,
  ) {
    this.content = given.content;
    this.owner = owner;
  }

  /** Returns the person's browser, signed in. */
  async browserOf(handle: Handle): Promise<Browser> {
    if (this.owner.account.email.startsWith(`${handle}@`)) {
      await this.owner.wake();
      return this.owner;
    }
    const known = this.people.get(handle) ?? this.join(handle);
    this.people.set(handle, known);
    const { browser } = await known;
    await browser.wake();
    return browser;
  }

  async begin(): Promise<void> {
    const { name, slug, locale, timeZone, groups } = this.content;
    const { owner } = this;
    const made = await owner.call('POST /api/org/organisations', {
      body: { id: newId('organisation'), name, slug, locale, timeZone },
    });
    owner.orgId = made.id;
    for (const group of groups) {
      const { id } = await owner.call('POST /api/org/groups', { body: { id: newId('group'), name: group } });
      this.groups.set(group, id);
    }
    await this.connectModels();
    await Promise.all([
      ...this.content.people.map(({ handle }) => this.browserOf(handle)),
      ...this.content.connections.map((connection) => this.connect(connection)),
      this.makeChatbots(),
      this.curate(),
    ]);
    for (const project of this.content.projects) await this.startProject(project);
  }

  async miniModel(): Promise<ModelKey> {
    const { items } = await this.owner.call('GET /api/chat/models');
    return items.find(({ key }) => key.endsWith('aurora-mini'))!.key;
  }

  async turnTitlesOn(): Promise<void> {
    await this.owner.wake();
    await this.owner.call('PUT /api/chat/title-setting', { body: { isOn: true, version: 1 } });
  }

  async setBudgets(): Promise<void> {
    await this.owner.wake();
    for (const { of, period, warnsAt, stopsAt } of this.content.budgets)
      await this.owner.call('POST /api/billing/budgets', {
        body: {
          id: newId('budget'),
          scope: await this.scopeOf(of),
          period,
          unit: 'money',
          softLimit: Math.round(warnsAt * micros),
          hardLimit: stopsAt === undefined ? null : Math.round(stopsAt * micros),
          startsWithSpent: true,
        },
      });
  }

  /** Returns its id once it can be asked about. */
  async attach(browser: Browser, { name, text }: DemoFile) {
    const { id } = await browser.upload('POST /api/chat/files', { id: newId('file'), name }, text);
    await until(async () => {
      const { items } = await browser.call('GET /api/chat/files', { query: { ids: id } });
      return items[0]?.status === 'ready' ? true : null;
    });
    return id;
  }

  private async startProject({ name, by, instructions, chatbot, file }: DemoProject): Promise<void> {
    const browser = await this.browserOf(by);
    const project = await browser.call('POST /api/chat/projects', { body: { id: newId('project'), name } });
    const params = { projectId: project.id };
    const chatbotId = chatbot === undefined ? null : this.chatbots.get(chatbot)!;
    await browser.call('PATCH /api/chat/projects/:projectId', {
      params,
      body: { revision: project.revision, instructions, chatbotId },
    });
    if (file) {
      const fileId = await this.attach(browser, file);
      await browser.call('PUT /api/chat/projects/:projectId/files/:fileId', { params: { ...params, fileId } });
    }
    this.projects.set(`${by}/${name}`, project.id);
  }

  private async join(handle: Handle) {
    const person = this.content.people.find((one) => one.handle === handle);
    if (!person) throw new Error(`Nobody in ${this.content.name} is called ${handle}.`);
    const email = `${handle}@${this.content.domain}`;
    const account = { name: person.name, email, password: this.given.owner.password };
    const browser = new Browser(this.given.url, account);
    const invitation = await this.linkFor(person);
    const { id: userId } = await browser.register({ locale: person.locale ?? this.content.locale, invitation });
    // One after the other: each joining changes the row of the organisation.
    this.joining = this.joining.then(async () => {
      const { id } = await browser.call('POST /api/org/my-invitations/accept', { body: { token: invitation } });
      browser.orgId = id;
    });
    await this.joining;
    return { browser, userId };
  }

  /** One link for each role and group, with which all of them join. */
  private linkFor({ role, group }: DemoPerson): Promise<string> {
    const label = `${role}, ${group ?? this.content.name}`;
    const link = this.links.get(label) ?? this.makeLink(label, { role, group });
    this.links.set(label, link);
    return link;
  }

  private async makeLink(label: string, { role, group }: Pick<DemoPerson, 'role' | 'group'>): Promise<string> {
    const groupIds = group === null ? [] : [this.groups.get(group)!];
    const { token } = await this.owner.call('POST /api/org/invitation-links', {
      body: { id: newId('invitation'), label, role, groupIds, domain: null, places: 40, days: 60 },
    });
    return token;
  }

  private async connectModels(): Promise<void> {
    const models = prices.map(({ model }) => model);
    await this.owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Demo models',
        baseUrl: `http://${this.given.modelAddress}/v1`,
        models,
        defaultModel: models[0]!,
        isDefault: true,
        contexts: models.map((model) => ({ model, tokens: 128_000 })),
      },
    });
    // Chats get the titles of the content.
    await this.owner.call('PUT /api/chat/title-setting', { body: { isOn: false, version: 0 } });
  }

  private async connect({ name, documents }: DemoOrganisation['connections'][number]): Promise<void> {
    const { owner } = this;
    const id: ConnectionId = newId('connection');
    await owner.call('POST /api/chat/connections', {
      body: { id, name, source: { kind: 'upload' }, audience: { kind: 'everybody' }, schedule: 'manual' },
    });
    for (const document of documents) {
      const query = { id: newId('document'), name: document.name, connectionId: id };
      await owner.upload('POST /api/chat/documents', query, document.text);
    }
    await until(async () => {
      const { items } = await owner.call('GET /api/chat/connections');
      const found = items.find((one) => one.id === id);
      return found?.documents.searchable === documents.length ? found : null;
    });
  }

  private async makeChatbots(): Promise<void> {
    const mini = await this.miniModel();
    for (const { note, onlyFromDocuments = false, isDraft, tried: _tried, ...own } of this.content.chatbots) {
      const content = {
        ...own,
        model: null,
        fallback: mini,
        temperature: null,
        knowledge: { passages: 6, onlyFromDocuments, connectionIds: null },
        audience: { kind: 'everybody' as const },
      };
      const id: ChatbotId = newId('chatbot');
      const { revision } = await this.owner.call('POST /api/chat/chatbot-drafts', { body: { id, content } });
      this.chatbots.set(own.name, id);
      if (isDraft) continue;
      const params = { chatbotId: id };
      await this.owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', { params, body: { revision, note } });
    }
  }

  private async curate(): Promise<void> {
    for (const { question, answer } of this.content.curated)
      await this.owner.call('POST /api/chat/curated-answers', {
        body: { id: newId('curatedAnswer'), questions: [question], text: answer, chatbotId: null },
      });
  }

  private async scopeOf(of: DemoOrganisation['budgets'][number]['of']): Promise<BudgetScope> {
    if (!of) return { kind: 'organisation' };
    if ('group' in of) return { kind: 'group', id: this.groups.get(of.group)! };
    if ('chatbot' in of) return { kind: 'chatbot', id: this.chatbots.get(of.chatbot)!, name: of.chatbot };
    await this.browserOf(of.person);
    return { kind: 'person', id: (await this.people.get(of.person)!).userId };
  }
}

/** Waits for work in the background, and returns what it came to. */
export async function until<Value>(look: () => Promise<Value | null>): Promise<Value> {
  const deadline = performance.now() + mostWaitMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error('Parley did not finish its work within two minutes.');
    await wait(lookAgainMs);
  }
}
