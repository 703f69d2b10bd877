import { beforeAll, expect, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import fc from 'fast-check';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { queueBench } from './queue-bench.spec-setup.ts';

const bench = await queueBench();
const runner = bench.aRunner();
beforeAll(bench.ready);

/** An action of one of the two clients on an answer or a queued question that it knows. */
type Act = { readonly does: 'queue' | 'edit' | 'withdraw' | 'end' | 'fail' | 'resume' | 'delete'; readonly at: number };
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    does: fc.constantFrom('queue', 'queue', 'queue', 'edit', 'withdraw', 'end', 'end', 'fail', 'resume', 'delete'),
    at: fc.nat(50),
  }),
  { minLength: 2, maxLength: 9 },
);

/** A chat as its two clients know it. */
class Talk {
  readonly viewer = aViewer();
  readonly id = newId('conversation');
  readonly sent: { readonly messageId: MessageId; readonly answerId: MessageId; readonly word: string }[] = [];
  readonly withdrawn = new Set<string>();
  private ending = Promise.resolve();

  async does({ does, at }: Act): Promise<void> {
    const some = this.sent[at % Math.max(1, this.sent.length)];
    if (does === 'queue' || !some) return this.queue(some?.answerId ?? null);
    if (does === 'edit') return this.edit(some);
    if (does === 'withdraw') return this.withdraw(some);
    if (does === 'delete') return void (await this.allowed(() => bench.remove(this.viewer, this.id, some.messageId)));
    if (does === 'resume') return void (await bench.resume(this.viewer, this.id));
    return this.end(does === 'end' ? 'done' : 'failed');
  }

  /** Ends answers one by one, because the bench ends each only once. */
  end(status: 'done' | 'failed'): Promise<void> {
    this.ending = this.ending.then(() => this.endNow(status));
    return this.ending;
  }

  private async endNow(status: 'done' | 'failed'): Promise<void> {
    const conversation = await bench.conversations.find(this.viewer.scope, this.id);
    if (conversation?.running) await bench.endRunning(this.viewer, this.id, status);
    await runner.startAll();
  }

  private async queue(parentId: MessageId | null): Promise<void> {
    const word = `word${this.sent.length}x`;
    const messageId = newId('message');
    const sent = { kind: 'question', messageId, parentId, text: word, ...bench.ids() };
    this.sent.push({ ...sent, word });
    if (!(await this.allowed(() => bench.add(this.viewer, this.id, sent)))) this.withdrawn.add(word);
  }

  private async edit({ messageId, word }: (typeof this.sent)[number]): Promise<void> {
    const { items } = await bench.read(this.viewer, this.id);
    const version = items.find(({ id }) => id === messageId)?.version ?? 1;
    await this.allowed(() => bench.edit(this.viewer, this.id, messageId, { version, text: `${word} edited` }));
  }

  private async withdraw({ messageId, word }: (typeof this.sent)[number]): Promise<void> {
    const before = await bench.rows.find(this.viewer.scope, { conversationId: this.id, id: messageId });
    await this.allowed(() => bench.withdraw(this.viewer, this.id, messageId));
    if (before && !(await this.everywhere()).includes(word)) this.withdrawn.add(word);
  }

  /** Returns all texts: asked, waiting, or back in the composer. */
  async everywhere(): Promise<string> {
    // Read the waiting texts first: they move to the other places, and never back.
    const waiting = await bench.texts(this.viewer, this.id);
    const asked = (await bench.said(this.viewer, this.id)).map(({ text }) => text);
    const { text, others } = await bench.draft(this.viewer, this.id);
    return [...asked, ...waiting, text, ...others.map((one) => one.text)].join('\n');
  }

  /** Returns false for a refused action, which changes nothing: another client was faster. */
  private async allowed(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }
}

test('asks each question once, keeps it waiting or withdrawn, or returns it, whatever two clients do', async () => {
  await fc.assert(
    fc.asyncProperty(acts, acts, async (one, other) => {
      const talk = new Talk();
      await talk.does({ does: 'queue', at: 0 });
      for (const [at, act] of one.entries())
        await Promise.all([act, other[at]].flatMap((each) => (each ? talk.does(each) : [])));
      const places = (await talk.everywhere()).split(/\s+/);
      const found = talk.sent.map(({ word }) => places.filter((place) => place === word).length);
      expect(found).toEqual(talk.sent.map(({ word }) => (talk.withdrawn.has(word) ? 0 : 1)));
      const { items } = await bench.read(talk.viewer, talk.id);
      const stored = await bench.conversations.find(talk.viewer.scope, talk.id);
      expect(stored?.queued ?? 0).toBe(items.length);
      const there = new Set<MessageId | null>([
        null,
        ...(await bench.said(talk.viewer, talk.id)).map(({ _id }) => _id),
      ]);
      for (const { parentId, answerId } of items) {
        expect(there).toContain(parentId);
        there.add(answerId);
      }
      await bench.resume(talk.viewer, talk.id);
      for (let left = items.length + 1; left > 0; left -= 1) await talk.end('done');
      expect((await bench.read(talk.viewer, talk.id)).items).toEqual([]);
    }),
    { numRuns: 20, seed: 50 },
  );
}, 60_000);
