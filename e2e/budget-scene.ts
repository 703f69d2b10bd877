import { expect } from '@jest/globals';
import type {
  KnownBudget,
  ConversationId,
  Deployable,
  GenerationId,
  LedgerEntry,
  Message,
  MessageId,
  ModelKey,
} from '@parley/contracts';
import { reserveBudget } from '@parley/contracts';
import { TokenSigner } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { Peers } from '@parley/platform/peers';
import { databaseUrl } from '@parley/platform/process';
import { eventually, silentLogger } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PatientClient, patienceMs } from './patient-client.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';
import { TwoOfEach } from './two-of-each.ts';

const password = 'three quiet herons';
const question = 'How many herons?';
const host = 'elsewhere.example';
const lookEveryMs = 100;
const thinkEveryMs = 5_000;

export type Asked = { readonly conversationId: ConversationId; readonly messageId: MessageId };
/** As it lies in the store: nothing is left out because it has run out. */
type Sheet = {
  readonly budgets: readonly { readonly spent: number; readonly hardLimit: number }[];
  readonly reservations: readonly { readonly id: string; readonly tokens: number; readonly leaseUntil: Date }[];
};
type StoredGeneration = {
  readonly _id: GenerationId;
  readonly conversationId: ConversationId;
  readonly status: string;
  readonly failure: string | null;
  readonly epoch: number;
  readonly attempts: readonly { readonly attempt: number; readonly isRefused?: boolean }[];
};
type StoredNote = {
  readonly reservationId: string;
  readonly kind: 'reserved' | 'settled' | 'released';
  readonly at: Date;
};

/** Two of each process, and a model server that answers nobody before it is told to. */
export class BudgetScene {
  private readonly thinking: NodeJS.Timeout;

  private constructor(
    readonly running: TwoOfEach,
    readonly model: SlowModel,
    private readonly servers: Infrastructure,
    private readonly billing: Mongo,
    private readonly chat: Mongo,
  ) {
    this.thinking = setInterval(() => model.think(), thinkEveryMs);
  }

  static async start(servers: Infrastructure): Promise<BudgetScene> {
    const model = await startSlowModel();
    const running = await TwoOfEach.start(servers, { PARLEY_OUTBOUND_ALLOW: model.address });
    const open = (owner: Deployable) => Mongo.connect(databaseUrl(servers.mongoUrl, owner));
    return new BudgetScene(running, model, servers, await open('billing'), await open('chat'));
  }

  async close(): Promise<void> {
    clearInterval(this.thinking);
    await this.running.close();
    await this.billing.close();
    await this.chat.close();
    this.model.close();
  }

  /** An organisation with a budget for so many answers. */
  async budgetFor(answers: number): Promise<Budgeted> {
    const owner = new PatientClient(this.running.url);
    const email = `owner-${Date.now()}@example.com`;
    await owner.register({ name: 'Ines', email, password });
    await owner.createOrganisation('Lindmoor');
    const slow = { name: 'Slow', baseUrl: this.model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true };
    await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...slow } });
    const budget = { scope: { kind: 'organisation' as const }, period: 'month' as const, unit: 'tokens' as const };
    await owner.call('POST /api/billing/budgets', {
      body: { id: newId('budget'), ...budget, softLimit: null, hardLimit: 1_000_000 },
    });
    const budgeted = new Budgeted(this, owner);
    // Chat hears of it by its event: from then on an answer reserves what it can cost, two seconds later whichever worker writes it.
    const each = await eventually(
      async () => {
        await budgeted.ask();
        await eventually(
          async () => {
            await budgeted.askAgain();
            return this.model.asked === 1;
          },
          'the model should be asked',
          patienceMs,
        );
        const { held } = await budgeted.figures();
        await budgeted.answerAll();
        expect(held).toBeGreaterThan(0);
        return held;
      },
      'an answer should reserve something',
      patienceMs,
    );
    await wait(2_000);
    budgeted.each = each;
    await budgeted.setLimit((await budgeted.figures()).spent + each * answers);
    return budgeted;
  }

  /** Asks billing itself, as a worker would. */
  async reserveAsChat(orgId: NonNullable<ParleyClient['orgId']>, tokens: number): Promise<void> {
    const key = JSON.parse(readFileSync(join(this.servers.folder, 'keys/chat.json'), 'utf8')) as { private: object };
    const peers = new Peers({
      deployable: 'chat',
      addressOf: () => Promise.resolve(this.running.installation.shared['PARLEY_BILLING_URL']!),
      signer: await TokenSigner.create('chat', key.private),
      logger: silentLogger(),
    });
    const whose = {
      orgId,
      userId: newId('user'),
      groupIds: [],
      model: `${newId('provider')}/m` as ModelKey,
      upstream: { host, model: 'm' },
    };
    const wish = { generationId: newId('generation'), attempt: 1, inputTokens: 0, outputTokens: tokens, ended: [] };
    await peers.call(reserveBudget, { body: { ...whose, ...wish } }, { deadlineMs: 5_000, failMode: 'refuse' });
  }

  sheetOf(orgId: string): Promise<Sheet> {
    return this.rowsOf<Sheet>(this.billing, 'budget_sheets', orgId).then(([sheet]) => sheet!);
  }

  notesOf(orgId: string): Promise<StoredNote[]> {
    return this.rowsOf(this.billing, 'reservations', orgId);
  }

  entriesOf(orgId: string): Promise<LedgerEntry[]> {
    return this.rowsOf(this.billing, 'ledger_entries', orgId);
  }

  generationsOf(orgId: string): Promise<StoredGeneration[]> {
    return this.rowsOf(this.chat, 'generations', orgId);
  }

  private async rowsOf<Row>({ connection }: Mongo, collection: string, orgId: string): Promise<Row[]> {
    return (await connection.collection(collection).find({ orgId }).toArray()) as unknown as Row[];
  }
}

/** An organisation under a budget, seen from its owner and from the store. */
export class Budgeted {
  /** Counts the tokens that one answer reserves. */
  each = 0;
  readonly asked: Asked[] = [];
  private readonly askedAgain = new Set<GenerationId>();

  constructor(
    private readonly scene: BudgetScene,
    readonly owner: ParleyClient,
  ) {}

  get orgId(): NonNullable<ParleyClient['orgId']> {
    return this.owner.orgId!;
  }

  async figures(): Promise<KnownBudget> {
    return (await this.owner.call('GET /api/billing/budgets')).items[0] as KnownBudget;
  }

  async setLimit(hardLimit: number): Promise<void> {
    const { id: budgetId, version } = await this.figures();
    const body = { version, softLimit: null, hardLimit };
    await this.owner.call('PUT /api/billing/budgets/:budgetId', { params: { budgetId }, body });
  }

  /** Asks until it is taken, with the same ids each time, as the page does. */
  async ask(): Promise<Asked> {
    const asked = { conversationId: newId('conversation'), messageId: newId('message') };
    this.asked.push(asked);
    const { conversationId, messageId } = asked;
    const ids = { messageId, answerId: newId('message'), generationId: newId('generation') };
    await this.owner.send(conversationId, question, ids);
    return asked;
  }

  /**
   * Who was refused because billing had not answered in time, or lost two workers, asks again, as a person does, once what
   * the lost ones reserved is free: in the end billing has said yes or no to everybody, however slow the machine is.
   */
  async askAgain(): Promise<void> {
    const { reservations } = await this.scene.sheetOf(this.orgId);
    for (const { _id, conversationId, status, failure } of await this.scene.generationsOf(this.orgId)) {
      const isUndecided = failure === 'budget-unavailable' || status === 'interrupted';
      const isReserved = reservations.some(({ id }) => id.startsWith(`${_id}:`));
      if (!isUndecided || isReserved || this.askedAgain.has(_id)) continue;
      const { messageId: parentId } = this.asked.find((one) => one.conversationId === conversationId)!;
      const body = { parentId, answerId: newId('message'), generationId: newId('generation') };
      await this.owner.call('POST /api/chat/conversations/:conversationId/answers', {
        params: { conversationId },
        body,
      });
      this.askedAgain.add(_id);
    }
  }

  async answerOf({ conversationId }: Asked): Promise<Message> {
    return (await this.owner.messages(conversationId)).items.at(-1)!;
  }

  /** How many are in each state, those before this budget included; failed ones by their reason. */
  async states(): Promise<Readonly<Record<string, number>>> {
    await wait(lookEveryMs);
    const counts = new Map<string, number>();
    const count = (state: string) => void counts.set(state, (counts.get(state) ?? 0) + 1);
    for (const { status, failure, epoch } of await this.scene.generationsOf(this.orgId)) {
      count(status === 'failed' ? String(failure) : status);
      if (epoch > 1) count('begun again');
    }
    return Object.fromEntries(counts);
  }

  /** Lets the model answer all who wait, and waits until nothing is reserved. */
  async answerAll(): Promise<void> {
    this.scene.model.answerAll('Three herons.');
    await eventually(
      async () => {
        expect((await this.figures()).held).toBe(0);
        expect((await this.states())['running']).toBeUndefined();
      },
      'nothing should stay reserved',
      patienceMs,
    );
  }

  /** Looks at spent and reserved all the time; what it resolves with when it is stopped is the most that was ever over. */
  watch(): () => Promise<number> {
    let isOver = false;
    const watching = (async () => {
      let most = -Infinity;
      for (; !isOver; await wait(lookEveryMs)) {
        const { budgets, reservations } = await this.scene.sheetOf(this.orgId);
        const held = reservations.reduce((sum, { tokens }) => sum + tokens, 0);
        most = Math.max(most, budgets[0]!.spent + held - budgets[0]!.hardLimit);
      }
      return most;
    })();
    watching.catch(() => undefined);
    return () => {
      isOver = true;
      return watching;
    };
  }
}
