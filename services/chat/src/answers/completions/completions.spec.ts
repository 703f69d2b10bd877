import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { completionRequest, liveStreamOf } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { MemoryLiveStream, type LiveFrame } from '@parley/platform/live-stream';
import type { Platform } from '@parley/platform/service';
import { eventually } from '@parley/testing';
import { EventEmitter } from 'node:events';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { ApartPurge, type Generation } from '../generations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { ImageIntake } from '../../knowledge/files/index.ts';
import { AnswerFollower } from './answer-follower.ts';
import { AskCompletion } from './ask-completion.ts';
import { wishesOf } from './completion-wishes.ts';
import { CompletionsService } from './completions.service.ts';
import { ToldText } from './told-text.ts';

const bench = await chatBench();
const revoked = new Set<string>();
const platform = {
  liveStream: new MemoryLiveStream(),
  revocations: {
    isRevoked: ({ sessionKey }: { sessionKey: string }) => revoked.has(sessionKey),
    onRevoked: () => () => undefined,
  },
} as unknown as Platform;
const follower = new AnswerFollower(bench.generations, platform, bench.doorbell);
const noImages = { store: async () => [], letGo: async () => undefined } as unknown as ImageIntake;
const service = new CompletionsService(
  bench.chatbots,
  new AskCompletion(bench.chatbots, bench.answerers, bench.apart, bench.completions, noImages),
  follower,
  bench.mongo,
  platform,
);
beforeAll(bench.ready);
/** Callers that a test hasn't disconnected: unless they leave, their answers are followed for ever. */
const callers: { readonly response: EventEmitter; readonly answer: Promise<unknown> }[] = [];
afterAll(async () => {
  for (const { response } of callers) response.emit('close');
  await Promise.allSettled(callers.splice(0).map(({ answer }) => answer));
});

/** A response that closes when the caller leaves or has everything. */
const aResponse = () => Object.assign(new EventEmitter(), { setHeader: () => undefined });
const storeIsAway = Object.assign(new Error('The store is away.'), { name: 'MongoPoolClearedError' });
const problem = (code: string) => expect.objectContaining({ code }) as unknown as Error;

/** Asks, and returns the answer that is now queued. */
async function ask(viewer: Viewer, more: object = {}) {
  const model = await bench.addChatbot(viewer, { instructions: 'Be brief.' });
  const messages = [
    { role: 'system', content: 'Speak of herons.' },
    { role: 'user', content: 'Which birds?' },
    { role: 'assistant', content: 'Herons.' },
    { role: 'user', content: 'How many?' },
  ];
  const body = completionRequest.parse({ model, messages, temperature: 0.5, max_tokens: 9, stop: ['END'], ...more });
  const response = aResponse();
  const answer = service.create({ ...viewer, body, request: { res: response } } as never);
  answer.catch(() => undefined);
  callers.push({ response, answer });
  const queued = async () => {
    for (;;) {
      const event = (await bench.recorded()).findLast(({ tenantid }) => tenantid === viewer.scope.orgId);
      const id = (event?.data as { generationId?: Generation['_id'] } | undefined)?.generationId;
      if (id) return (await bench.generations.findMany(viewer.scope, [id]))[0]!;
    }
  };
  return { answer, response, generation: await queued(), model };
}

describe('a program’s question', () => {
  test('answers a program from its request, by the published version, in the name of the key’s owner', async () => {
    const viewer = aViewer();
    const { generation, model } = await ask(viewer);
    expect(generation).toMatchObject({ userId: viewer.principal.userId, chatbot: { id: model, version: 1 } });
    expect(await bench.prepare.prepare(generation)).toMatchObject({
      instructions: 'Be brief.\n\nSpeak of herons.',
      path: [
        { role: 'person', text: 'Which birds?' },
        { role: 'assistant', text: 'Herons.' },
        { role: 'person', text: 'How many?' },
      ],
      temperature: 0.5,
      maxOutputTokens: 9,
      stops: ['END'],
    });
  });

  test('hides a program’s question from all chat lists, and notifies no socket', async () => {
    const viewer = aViewer();
    const { generation } = await ask(viewer);
    const chats = await bench.keeping.list({ ...viewer, query: { limit: 10 } } as never);
    expect(chats.items).toEqual([]);
    const [told] = await bench.eventsOf(generation.conversationId);
    expect((told!.data as { memberIds: string[] }).memberIds).not.toContain(viewer.principal.userId);
  });

  test('returns the ended answer with its usage', async () => {
    const viewer = aViewer();
    const { generation, answer, model } = await ask(viewer);
    const place = { kind: 'page', number: 3 } as const;
    const [documentId, chunkId] = [newId('document'), newId('chunk')];
    const cited = { number: 1, documentId, chunkId, documentName: 'Birds.pdf', heading: null, place };
    await bench.end(
      viewer,
      { answer: { generation: { id: generation._id } } as never },
      { text: 'Three.', isCut: true, citations: [cited] },
    );
    expect(await answer).toMatchObject({
      id: generation.completionId,
      model,
      choices: [{ message: { content: 'Three.' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
      citations: [{ number: 1, document_id: documentId, title: 'Birds.pdf', place }],
    });
    expect((await bench.find(viewer, { answer: { generation: { id: generation._id } } as never })).stopRequested).toBe(
      false,
    );
  });

  test.each<[string, Partial<Generation>, string]>([
    ['stopped', { status: 'stopped' }, 'chat.answer-stopped'],
    ['interrupted', { status: 'interrupted' }, 'chat.answer-interrupted'],
    ['without a budget', { status: 'failed', failure: 'budget-spent' }, 'chat.budget-spent'],
    ['failed by its model', { status: 'failed', failure: 'provider-cut' }, 'chat.provider-failed'],
    ['too long for its model', { status: 'failed', failure: 'context-too-long' }, 'chat.context-too-long'],
    ['refused for its images', { status: 'failed', failure: 'images-refused' }, 'chat.images-not-accepted'],
  ])('is refused where the answer is %s', async (_how, end, code) => {
    const viewer = aViewer();
    const { generation, answer } = await ask(viewer);
    await bench.end(viewer, { answer: { generation: { id: generation._id } } as never }, end as never);
    await expect(answer).rejects.toThrow(problem(code));
  });

  test.each<[string, Partial<Generation>, number]>([
    ['other answers hold the budget', { failure: 'budget-spent', failureDetail: 'bud_1 4096 held' }, 15],
    ['its model server says when', { failure: 'provider-rate-limited', failureDetail: 'Busy. Retry-After: 7 s' }, 7],
    ['its model server does not say when', { failure: 'provider-rate-limited', failureDetail: 'Busy.' }, 5],
  ])('is to be asked again later where %s', async (_why, end, retryAfterSeconds) => {
    const viewer = aViewer();
    const { generation, answer } = await ask(viewer);
    await bench.end(viewer, { answer: { generation: { id: generation._id } } as never }, {
      status: 'failed',
      ...end,
    } as never);
    await expect(answer).rejects.toMatchObject({ code: 'platform.rate-limited', extras: { retryAfterSeconds } });
  });

  test('refuses a question that is too long in words that API clients know', async () => {
    const viewer = aViewer();
    const { generation, answer } = await ask(viewer);
    const end = { status: 'failed', failure: 'context-too-long' } as const;
    await bench.end(viewer, { answer: { generation: { id: generation._id } } as never }, end as never);
    // LiteLLM recognises the error by these words (`exception_mapping_utils.py`, 1.110).
    await expect(answer).rejects.toThrow("is longer than the model's context length");
  });

  test('stops the answer when its caller leaves or can’t ask any more', async () => {
    const [left, ended] = [aViewer(), aViewer(undefined, { sessionKey: newId('apiKey') })];
    const [one, other] = [await ask(left), await ask(ended)];
    one.response.emit('close');
    await expect(one.answer).rejects.toThrow(problem('chat.answer-stopped'));
    revoked.add(ended.principal.sessionKey);
    await expect(other.answer).rejects.toThrow(problem('platform.rights-changed'));
    for (const [viewer, { generation }] of [[left, one] as const, [ended, other] as const]) {
      const [now] = await bench.generations.findMany(viewer.scope, [generation._id]);
      expect(now!.stopRequested).toBe(true);
    }
  });

  test('stops the answer if its caller leaves before reading the first piece', async () => {
    const viewer = aViewer();
    const { answer, generation, response } = await ask(viewer, { stream: true });
    const stream = liveStreamOf(generation.conversationId, generation._id);
    platform.liveStream.append(stream, { epoch: 1, seq: 1, offset: 0, delta: 'One' });
    expect(await answer).toHaveProperty([Symbol.asyncIterator as never]);
    response.emit('close');
    await eventually(async () => {
      const [now] = await bench.generations.findMany(viewer.scope, [generation._id]);
      expect(now!.stopRequested).toBe(true);
    }, 'it should be stopped');
  });

  test('stops a question that is stored after its caller learned that the store is unavailable', async () => {
    const viewer = aViewer();
    const away = jest.spyOn(bench.mongo, 'whenAway').mockImplementationOnce((tell) => {
      tell();
      return () => undefined;
    });
    const { answer, generation } = await ask(viewer);
    away.mockRestore();
    await expect(answer).rejects.toThrow(problem('platform.unavailable'));
    await eventually(async () => {
      const [now] = await bench.generations.findMany(viewer.scope, [generation._id]);
      expect(now!.stopRequested).toBe(true);
    }, 'it should be stopped');
  });

  test('waits while the store is unavailable', async () => {
    const viewer = aViewer();
    const { answer, generation } = await ask(viewer);
    const away = jest.spyOn(bench.generations, 'findMany').mockRejectedValueOnce(storeIsAway);
    await eventually(() => expect(away).toHaveBeenCalled(), 'it should be looked for');
    away.mockRestore();
    await bench.end(viewer, { answer: { generation: { id: generation._id } } as never }, 'Three.');
    expect(await answer).toMatchObject({ choices: [{ message: { content: 'Three.' } }] });
  });

  test('deletes a program’s question after a day, but keeps its usage', async () => {
    const viewer = aViewer();
    const { generation } = await ask(viewer);
    const asked = { answer: { generation: { id: generation._id } } as never };
    await bench.end(viewer, asked, 'Three.');
    const purge = (afterMs: number) => {
      const clock = { now: () => new Date(bench.clock.now().getTime() + afterMs) } as typeof bench.clock;
      const { apartQuestions, messages, generations, work } = bench;
      return new ApartPurge(apartQuestions, messages, generations, work, clock).purge();
    };
    await purge(bench.completions.keepMs - 60_000);
    expect(await bench.completions.find(viewer.scope, generation.completionId!)).toMatchObject({ stops: ['END'] });
    await purge(bench.completions.keepMs + 60_000);
    await expect(bench.completions.find(viewer.scope, generation.completionId!)).rejects.toThrow('removed');
    expect(await bench.searchedBy(viewer, generation.conversationId)).toEqual([]);
    expect(await bench.find(viewer, asked)).toMatchObject({ text: '', attempts: [{ outputTokens: 5 }] });
  });
});

test('joins text parts of a message, takes the newer of two limits, and drops repeated stop words', () => {
  const parts = [
    { type: 'text', text: 'One' },
    { type: 'text', text: 'two' },
  ];
  const messages = [{ role: 'user', content: parts }];
  const asked = { model: 'm', messages, max_tokens: 5, max_completion_tokens: 7, stop: ['a', 'a', 'b'] };
  expect(wishesOf(completionRequest.parse(asked))).toEqual({
    path: [{ role: 'person', text: 'One\ntwo' }],
    instructions: '',
    temperature: null,
    maxOutputTokens: 7,
    stops: ['a', 'b'],
  });
});

test('passes text on once: joined frames replace earlier ones, and a second attempt begins at its start', () => {
  const told = new ToldText();
  const frame = (epoch: number, offset: number, delta: string, more: Partial<LiveFrame> = {}) =>
    told.take({ epoch, seq: 1, offset, delta, ...more });
  frame(1, 0, '');
  frame(2, 0, 'One');
  expect(told.next()).toBe('One');
  frame(2, 0, 'One two');
  expect([told.next(), told.next()]).toEqual([' two', '']);
  frame(2, 7, ' three', { end: 'done' });
  expect([told.hasEnded, told.next(), told.restOf('One two three four')]).toEqual([true, ' three', ' four']);
});
