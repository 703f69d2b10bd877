import type { ConversationId, Message } from '@parley/contracts';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient } from '@parley/testing/client';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from './evidence.ts';
import { pointHook, type Point } from './kill-points.ts';
import { Product } from './product.ts';

export const conversationPath = 'GET /api/chat/conversations/:conversationId/path';
const endsWithinMs = 300_000;
/** Also where it has to start first, and write an answer. */
const diesWithinMs = 180_000;

export type Parts = {
  readonly folder: string;
  readonly evidence: Evidence;
  readonly provider: string;
  readonly port: number;
  readonly isSoak: boolean;
};

/** The one-process edition, which kills itself at the points that it is given, and what is wrong afterwards. */
export class KilledProduct {
  kills = 0;
  readonly problems: string[] = [];
  client = new ParleyClient('');
  product: Product;
  readonly parts: Parts;
  private readonly point: string;
  private armed: Point | null = null;

  constructor(parts: Parts) {
    this.parts = parts;
    this.point = join(parts.folder, 'point');
    this.product = this.productWith(pointHook());
  }

  close(): Promise<unknown> {
    return this.product.kill();
  }

  productWith(hook: string): Product {
    const { folder, port, provider } = this.parts;
    const variables = { PARLEY_OUTBOUND_ALLOW: provider, PARLEY_TEST_POINT: this.point };
    return new Product({ folder: join(folder, 'data'), port, variables, hook });
  }

  async start(): Promise<void> {
    if (!(await this.product.start())) throw new Error(`The product has not started: ${this.product.said}`);
  }

  /** The others are for a soak. */
  points(first: Point, ...others: readonly Point[]): readonly Point[] {
    return this.parts.isSoak ? [first, ...others] : [first];
  }

  arm(point: Point): void {
    this.armed = point;
    writeFileSync(this.point, point);
  }

  async untilKilled(withinMs = diesWithinMs): Promise<void> {
    const { signal, code } = await this.product.ended(withinMs).catch((cause: unknown) => {
      throw new Error(`It did not die at ${this.armed}.`, { cause });
    });
    if (signal !== 'SIGKILL') throw new Error(`The process ended with ${code}: ${this.product.said}`);
    rmSync(this.point);
    this.kills += 1;
  }

  /** Makes the call in a process that dies at the point, and starts the next one. */
  async killIn(point: Point, act: () => Promise<unknown>): Promise<void> {
    this.arm(point);
    const answered = act().then(
      () => true,
      () => false,
    );
    await this.untilKilled();
    if (await answered) this.problems.push(`${point}: the call was answered`);
    await this.start();
  }

  async path(conversationId: ConversationId): Promise<readonly Message[]> {
    return (await this.client.call(conversationPath, { params: { conversationId }, query: { limit: 100 } })).items;
  }

  async untilEnded(id: ConversationId): Promise<void> {
    await eventually(
      async () => {
        const { items } = await this.client.messages(id);
        const { status } = items.at(-1)?.generation ?? {};
        if (status !== 'done') throw new Error(`It is ${status}.`);
      },
      'the answer should end',
      endsWithinMs,
    );
  }

  same(what: string, found: unknown, wanted: unknown): void {
    const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (one !== other) this.problems.push(`${what}: ${one?.slice(0, 300)} instead of ${other?.slice(0, 300)}`);
  }
}
