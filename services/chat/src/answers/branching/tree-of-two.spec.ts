import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import fc from 'fast-check';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { isDeleted, type Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await treeBench();
const { paths, listing, deleting } = bench;
beforeAll(bench.ready);

type End = Exclude<Parameters<typeof bench.end>[2], string | undefined>;

/** An action of one of the two clients on a message that this client knows. */
type Does = 'ask' | 'edit' | 'again' | 'continue' | 'delete' | 'restore' | 'stop' | 'cut' | 'refuse' | 'end';
type Act = { readonly does: Does; readonly at: number };
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    does: fc.constantFrom<Does[]>(
      'ask',
      'ask',
      'edit',
      'again',
      'continue',
      'delete',
      'restore',
      'stop',
      'cut',
      'refuse',
      'end',
    ),
    at: fc.nat(50),
  }),
  { minLength: 2, maxLength: 14 },
);

const ends = {
  stop: { status: 'stopped', text: 'Three' },
  cut: { status: 'failed', failure: 'output-limit', text: 'Three quiet' },
  refuse: { status: 'failed', failure: 'budget-spent', text: '' },
  end: { status: 'done', text: 'Three quiet herons.' },
} as const satisfies Partial<Record<Does, End>>;

/** A conversation as its two clients know it, with each message that was ever created. */
class Talk {
  readonly viewer: Viewer = aViewer();
  readonly id: ConversationId = newId('conversation');
  readonly known: Message[] = [];
  private running: { answer: Message } | null = null;

  async does({ does, at }: Act): Promise<void> {
    const answers = this.known.filter(({ role }) => role === 'assistant');
    const questions = this.known.filter(({ role }) => role === 'person');
    const some = this.known[at % this.known.length]!;
    const question = questions[at % questions.length]!;
    if (does === 'ask') return this.ask(answers[at % answers.length]!.id);
    if (does === 'edit') return this.ask(question.parentId);
    if (does === 'again') return this.askAgain(question.id);
    const answer = answers[at % answers.length]!;
    if (does === 'continue') return this.askAgain(answer.parentId!, answer.id);
    if (does === 'delete') return void (await this.allowed(() => deleting.delete(this.which(some.id))));
    if (does === 'restore') return void (await this.allowed(() => deleting.restore(this.which(some.id))));
    return this.end(ends[does]);
  }

  async ask(parentId: MessageId | null): Promise<void> {
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const wish = { conversationId: this.id, ...ids, text: `${this.known.length}`, parentId };
    const asked = await this.allowed(() => bench.sending.send(this.viewer, wish));
    if (!asked) return;
    this.known.push(asked.message, asked.answer);
    this.running = asked;
  }

  private async askAgain(parentId: MessageId, continues?: MessageId): Promise<void> {
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const wish = { conversationId: this.id, parentId, ...(continues && { continues }), ...ids };
    const asked = await this.allowed(() => bench.answering.answer(this.viewer, wish));
    if (!asked) return;
    this.known.push(asked.answer);
    this.running = asked;
  }

  async end(end: End): Promise<void> {
    const { running } = this;
    this.running = null;
    if (running) await bench.end(this.viewer, running, end);
  }

  /** Returns null for a refused action, which changes nothing: another client was faster. */
  private async allowed<Result>(act: () => Promise<Result>): Promise<Result | null> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  private which(messageId: MessageId) {
    return { ...this.viewer, params: { conversationId: this.id, messageId } } as never;
  }

  list(query: object) {
    return listing.list({
      ...this.viewer,
      params: { conversationId: this.id },
      query: { limit: 100, ...query },
    } as never);
  }
}

test('keeps each message on a path or deleted, whatever two clients do', async () => {
  await fc.assert(
    fc.asyncProperty(acts, acts, async (one, other) => {
      const talk = new Talk();
      await talk.ask(null);
      await talk.end(ends.end);
      for (const [at, act] of one.entries()) {
        const both = [act, other[at]].flatMap((each) => each ?? []);
        await Promise.all(both.map((each) => talk.does(each)));
      }
      await talk.end(ends.end);
      const all = await paths.all(talk.viewer.scope, talk.id);
      expect(all.map(({ _id }) => _id).toSorted()).toEqual(talk.known.map(({ id }) => id).toSorted());
      const roots = await paths.deletedRoots(talk.viewer.scope, talk.id);
      const there = all.filter((message) => !isDeleted(message, roots));
      for (const { _id: leaf } of there) {
        const { items } = await talk.list({ leaf });
        expect(items.at(-1)?.id).toBe(leaf);
        expect(items.map(({ role }) => role)).toEqual(items.map((_item, at) => (at % 2 ? 'assistant' : 'person')));
        expect(items.map(({ parentId }) => parentId)).toEqual([null, ...items.slice(0, -1).map(({ id }) => id)]);
      }
      const { versions } = await talk.list({ after: 0 });
      const shown = new Set(versions.flatMap(({ ids }) => ids));
      const rows = await bench.messages.findMany(
        talk.viewer.scope,
        talk.id,
        there.map(({ _id }) => _id),
      );
      // A message is no version only if it was refused, or if another message begins with its text.
      for (const { _id, isRefused } of rows.filter((row) => !shown.has(row._id)))
        expect([_id, isRefused ?? rows.some(({ lengthens }) => lengthens === _id)]).toEqual([_id, true]);
      const { leafId } = await talk.list({});
      expect(there.map(({ _id }) => _id)).toEqual(there.length > 0 ? expect.arrayContaining([leafId]) : []);
      const { items, elsewhere, sequence } = await talk.list({ after: 0 });
      expect([...items, ...elsewhere].map(({ id }) => id).toSorted()).toEqual(
        talk.known.map(({ id }) => id).toSorted(),
      );
      const told = (await bench.eventsOf(talk.id)).map((event) => event.sequence);
      expect(told).toEqual(Array.from({ length: sequence }, (_none, at) => at + 1));
    }),
    { numRuns: 20, seed: 50 },
  );
}, 60_000);
