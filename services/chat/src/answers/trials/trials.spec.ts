import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatbotId, Trial } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { anEnd, chatBench, everywhere } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { ApartPurge } from '../generations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { TrialsService } from './trials.service.ts';

const bench = await chatBench();
const service = new TrialsService(bench.trying, bench.chatbots, bench.trials, bench.generations, bench.doorbell);
beforeAll(bench.ready);

const id = (viewer: Viewer, more: object) => ({ ...viewer, ...more }) as never;
const ask = (viewer: Viewer, chatbotId: ChatbotId, more: object = {}): Promise<Trial> =>
  service.ask(
    id(viewer, {
      params: { chatbotId },
      body: { id: newId('trial'), question: 'Which herons?', version: null, ...more },
    }),
  );
const read = (viewer: Viewer, trialId: string): Promise<Trial> => service.read(id(viewer, { params: { trialId } }));
const generationOf = async ({ scope }: Viewer, { generationId }: Trial) =>
  (await bench.generations.findMany(scope, [generationId]))[0]!;
const draftOf = (viewer: Viewer, chatbotId: ChatbotId) =>
  bench.chatbots.getDraft(id(viewer, { params: { chatbotId } }));

describe('trials', () => {
  test('answers a trial by the draft from when it was asked, or by a version', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, { instructions: 'One.' });
    const change = async (instructions: string) => {
      const { revision, content } = await draftOf(viewer, chatbotId);
      const body = { revision, content: { ...content, instructions } };
      await bench.chatbots.change(id(viewer, { params: { chatbotId }, body }));
    };
    await change('Two.');
    const draft = await ask(viewer, chatbotId);
    const live = await ask(viewer, chatbotId, { version: 1 });
    await change('Three.');
    const prepared = async (trial: Trial) => bench.prepare.prepare(await generationOf(viewer, trial));
    expect(await prepared(draft)).toMatchObject({ instructions: 'Two.', path: [{ text: 'Which herons?' }] });
    expect(await prepared(live)).toMatchObject({ instructions: 'One.' });
    expect(await generationOf(viewer, draft)).toMatchObject({ chatbot: { id: chatbotId, version: 2 } });
    for (const version of [0, 2])
      await expect(ask(viewer, chatbotId, { version })).rejects.toMatchObject({ code: 'platform.not-found' });
    await expect(ask(aViewer(), chatbotId)).rejects.toMatchObject({ code: 'chat.chatbot-not-found' });
  });

  test('asks a trial once however often it is sent, and shows it only to the person who asked', async () => {
    const viewer = aViewer();
    const chatbotId = await bench.addChatbot(viewer, {});
    const wish = { id: newId('trial') };
    const first = await ask(viewer, chatbotId, wish);
    expect(await ask(viewer, chatbotId, wish)).toEqual(first);
    const colleague = aViewer(viewer.scope.orgId);
    await expect(read(colleague, first.id)).rejects.toMatchObject({ code: 'platform.not-found' });
    const list = async (who: Viewer) =>
      (await service.list(id(who, { params: { chatbotId }, query: { limit: 20 } }))).items;
    expect(await list(viewer)).toEqual([first]);
    expect(await list(colleague)).toEqual([]);
  });

  test('hides trials from lists of chats and searches, and notifies no socket', async () => {
    const viewer = aViewer();
    const trial = await ask(viewer, await bench.addChatbot(viewer, {}));
    const chats = await bench.keeping.list(id(viewer, { query: { limit: 10 } }));
    expect(chats.items).toEqual([]);
    await expect(
      bench.keeping.read(id(viewer, { params: { conversationId: trial.conversationId } })),
    ).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
    const own = (await bench.searchedBy(viewer, (await bench.ask(viewer)).conversation.id))[0]!.searchScope;
    for (const row of await bench.searchedBy(viewer, trial.conversationId)) expect(row.searchScope).not.toBe(own);
    const told = await bench.eventsOf(trial.conversationId);
    expect(told.map(({ type }) => type)).toEqual(['generation.queued.v1']);
    expect((told[0]!.data as { memberIds: string[] }).memberIds).not.toContain(viewer.principal.userId);
  });

  test('shows all found passages, cited or not, and the trial’s usage', async () => {
    const viewer = aViewer();
    const trial = await ask(viewer, await bench.addChatbot(viewer, {}));
    const found = [
      {
        number: 1,
        documentId: newId('document'),
        chunkId: newId('chunk'),
        documentName: 'Handbook',
        heading: null,
        text: 'Herons are grey.',
        score: 1.5,
      },
    ];
    const { clock, generations } = bench;
    const lease = { holder: 'worker', until: clock.now() };
    const claim = { seen: await generationOf(viewer, trial), lease, ended: null, now: clock.now() };
    const claimed = (await generations.claim(everywhere, claim))!;
    clock.advance(2_500);
    await bench.finishing.finish(claimed, anEnd({ text: 'Grey.', found }));
    const ended = await read(viewer, trial.id);
    expect(ended).toMatchObject({ status: 'done', text: 'Grey.', found, citations: [], usage: { inputTokens: 3 } });
    expect(ended.totalMs).toBe(2_500);
  });

  test('deletes a trial after a week, but keeps its usage', async () => {
    const viewer = aViewer();
    const trial = await ask(viewer, await bench.addChatbot(viewer, {}));
    await bench.end(viewer, { answer: { generation: { id: trial.generationId } } as never }, 'Grey.');
    const later = { now: () => new Date(Date.now() + bench.trials.keepMs + 1_000) } as typeof bench.clock;
    const purge = (clock: typeof bench.clock) =>
      new ApartPurge(bench.apartQuestions, bench.messages, bench.generations, bench.work, clock).purge();
    await purge(bench.clock);
    expect(await read(viewer, trial.id)).toMatchObject({ text: 'Grey.' });
    await purge(later);
    await expect(read(viewer, trial.id)).rejects.toMatchObject({ code: 'platform.not-found' });
    expect(await bench.searchedBy(viewer, trial.conversationId)).toEqual([]);
    expect(await generationOf(viewer, trial)).toMatchObject({ text: '', attempts: [{ outputTokens: 5 }] });
  });
});
