import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Accepted, FeedbackId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../conversations/index.ts';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { feedbackBench } from './feedback-bench.spec-setup.ts';

const bench = await feedbackBench();
beforeAll(bench.ready);

/** A case, and somebody who works on it. */
async function aCase(more: Parameters<typeof bench.rate>[2] = {}) {
  const reporter = aViewer(undefined, { role: 'member' });
  const admin = aViewer(reporter.scope.orgId);
  const asked = await bench.answered(reporter);
  const { id } = await bench.rate(reporter, asked, more);
  return { reporter, admin, asked, id };
}
const changes = async (id: FeedbackId) => (await bench.toldOf(id)).map(({ data }) => data.change);

describe('the list', () => {
  test('is newest first, page by page, by every combination of filters, and of one organisation', async () => {
    const viewer = aViewer();
    const chatbot = await bench.addChatbot(viewer, {});
    const rate = async (asked: Accepted, body: Parameters<typeof bench.rate>[2]) => {
      bench.clock.advance(1_000);
      return (await bench.rate(viewer, asked, body)).id;
    };
    const good = await rate(await bench.answered(viewer), { rating: 'up' });
    const [plain, style] = [
      await rate(await bench.answered(viewer), {}),
      await rate(await bench.answered(viewer, { chatbotId: chatbot }), { reasons: ['style', 'refused'] }),
    ];
    const { revision } = await bench.get(viewer, plain);
    await bench.change(viewer, plain, { revision, state: 'in-work' });
    const ids = async (query: Parameters<typeof bench.list>[1], who: Viewer = viewer) =>
      (await bench.list(who, query)).items.map(({ id }) => id);
    expect(await ids({})).toEqual([style, plain, good]);
    const { items, nextCursor } = await bench.list(viewer, { limit: 2 });
    expect(items).toHaveLength(2);
    expect(await ids({ limit: 2, cursor: nextCursor! })).toEqual([good]);
    expect(await ids({ state: 'open' })).toEqual([style, plain]);
    expect(await ids({ state: 'in-work' })).toEqual([plain]);
    expect(await ids({ rating: 'up' })).toEqual([good]);
    expect(await ids({ chatbot })).toEqual([style]);
    expect(await ids({ reason: 'refused', state: 'new', chatbot, rating: 'down' })).toEqual([style]);
    expect(await ids({ reason: 'refused', state: 'in-work' })).toEqual([]);
    const today = bench.clock.now().toISOString().slice(0, 10);
    expect(await ids({ from: today, until: today })).toHaveLength(3);
    expect(await ids({ until: '2020-01-01' })).toEqual([]);
    expect((await bench.list(viewer, { state: 'fixed' })).open).toBe(2);
    expect(await ids({}, aViewer())).toEqual([]);
  });

  test('counts by chatbot and version, only the days that are asked for', async () => {
    const viewer = aViewer();
    await bench.rate(viewer, await bench.answered(viewer));
    bench.clock.advance(8 * 86_400_000);
    await bench.rate(viewer, await bench.answered(viewer), { rating: 'up' });
    expect(await bench.counted(viewer, 7)).toMatchObject({ up: 1, down: 0, isCut: false });
    const { chatbots, ...sum } = await bench.counted(viewer, 30);
    expect(sum).toEqual({ up: 1, down: 1, isCut: false });
    expect(chatbots).toMatchObject([{ name: 'Assistant', versions: [{ version: 0, up: 1, down: 1 }] }]);
    expect(await bench.counted(aViewer(), 30)).toMatchObject({ up: 0, chatbots: [] });
  });
});

describe('a case', () => {
  test('has a state, somebody who works on it, and a note; each step is remembered and told', async () => {
    const { admin, id } = await aCase();
    const ann = { userId: newId('user'), name: 'Ann' };
    bench.holders.push(ann);
    const first = await bench.change(admin, id, {
      revision: 1,
      state: 'in-work',
      assigneeId: ann.userId,
      note: 'Look at page 3.',
    });
    expect(first).toMatchObject({ state: 'in-work', assignee: ann, note: 'Look at page 3.', revision: 2 });
    const free = await bench.change(admin, id, { revision: 2, state: 'fixed', assigneeId: null });
    expect(free.history.map(({ what, to }) => [what, to])).toEqual([
      ['rated', null],
      ['state', 'in-work'],
      ['assigned', 'Ann'],
      ['noted', null],
      ['state', 'fixed'],
      ['assigned', null],
    ]);
    expect(await bench.change(admin, id, { revision: 3, state: 'fixed' })).toEqual(free);
    const told = await bench.toldOf(id);
    expect(told.map(({ data: { change, state, before } }) => [change, state, before])).toEqual([
      ['rated', 'new', undefined],
      ['state', 'in-work', 'new'],
      ['assigned', 'in-work', undefined],
      ['noted', 'in-work', undefined],
      ['state', 'fixed', 'in-work'],
      ['assigned', 'fixed', undefined],
    ]);
    expect(JSON.stringify(told)).not.toContain('page 3');
  });

  test('is nobody’s who may not work on it', async () => {
    const { admin, id } = await aCase();
    const assigneeId = newId('user');
    await expect(bench.change(admin, id, { revision: 1, assigneeId })).rejects.toMatchObject({
      code: 'org.member-not-found',
    });
  });

  test('of two who change it, the second is shown what the first has done', async () => {
    const { admin, id } = await aCase();
    await bench.change(admin, id, { revision: 1, state: 'fixed' });
    for (const late of [
      () => bench.change(admin, id, { revision: 1, state: 'wont-fix' }),
      () => bench.reply(admin, id, { revision: 1, text: 'Sorry.' }),
    ])
      await expect(late()).rejects.toMatchObject({
        code: 'platform.conflict',
        extras: { current: { state: 'fixed', revision: 2 } },
      });
  });

  test('of another organisation, or taken back, is not there', async () => {
    const { reporter, admin, asked, id } = await aCase();
    const unknown = { code: 'chat.feedback-not-found' };
    for (const act of [bench.get, bench.shared]) await expect(act(aViewer(), id)).rejects.toMatchObject(unknown);
    await bench.withdraw(reporter, asked);
    await expect(bench.get(admin, id)).rejects.toMatchObject(unknown);
    await expect(bench.change(admin, id, { revision: 1, state: 'fixed' })).rejects.toMatchObject(unknown);
  });

  test('is answered, which the reporter sees in the chat and is told of', async () => {
    const { reporter, admin, asked, id } = await aCase();
    await bench.reply(admin, id, { revision: 1, text: 'It is four now.' });
    expect(await bench.mine(reporter, asked)).toMatchObject([
      { reply: { text: 'It is four now.', by: admin.principal.name } },
    ]);
    const noted = (await bench.recorded()).filter(
      ({ type, subject }) => type === 'feedback.noted.v1' && subject === id,
    );
    expect(noted.map(({ data }) => data)).toMatchObject([{}, { userId: reporter.principal.userId }]);
    expect((await bench.list(admin)).items[0]).toMatchObject({ isAnswered: true });
  });

  test('that somebody has read what was sent along is remembered once a day and reader; the reporter’s own look is not', async () => {
    const { reporter, admin, id } = await aCase({ messages: 2 });
    for (let time = 0; time < 2; time += 1)
      expect((await bench.shared(admin, id)).map(({ text }) => text)).toEqual([
        'How many herons?',
        'Three quiet herons.',
      ]);
    await bench.shared(reporter, id);
    expect(await changes(id)).toEqual(['rated', 'read']);
    bench.clock.advance(25 * 3_600_000);
    await bench.shared(admin, id);
    expect(await changes(id)).toEqual(['rated', 'read', 'read']);
  });

  test('without anything sent along has nothing to read', async () => {
    const { admin, id } = await aCase();
    expect(await bench.shared(admin, id)).toEqual([]);
    expect(await changes(id)).toEqual(['rated']);
  });

  test('remembers that a curated answer was written for it', async () => {
    const { admin, id } = await aCase();
    const body = { questions: ['How many herons?'], text: 'Four.', chatbotId: null, feedbackId: id };
    await bench.curated.create({ ...admin, body: { id: newId('curatedAnswer'), ...body } } as never);
    expect((await bench.get(admin, id)).history.map(({ what }) => what)).toEqual(['rated', 'curated']);
    const wrong = { ...body, feedbackId: newId('feedback') };
    const made = bench.curated.create({ ...admin, body: { id: newId('curatedAnswer'), ...wrong } } as never);
    await expect(made).rejects.toMatchObject({ code: 'chat.feedback-not-found' });
  });
});
