import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { toMessage } from '../rows/message-view.ts';
import { attemptOf, nothingWished, type Answer } from './answer-attempt.spec-setup.ts';

const bench = await chatBench();
beforeAll(bench.ready);
const owner = aViewer();
const lease = { holder: 'one', until: new Date(Date.now() + 60_000) };
const upstream = { host: 'api.example.com', model: 'gpt' };

/** Asks a question, and claims its answer for a worker. */
async function aClaimed() {
  const asked = await bench.ask(owner);
  const find = () => bench.find(owner, asked);
  const held = await bench.generations.claim(everywhere, { seen: await find(), lease, ended: null, now: new Date() });
  return { asked, find, held: { ...held!, upstream } };
}
/**
 * Runs an attempt until its model is asked, stores a checkpoint as a worker does, and returns the input that a stop
 * bills.
 */
async function askedAndKept(held: Generation, wishes = nothingWished): Promise<number> {
  let isAsked = false;
  const hanging: Answer = async ({ signal }, onPart) => {
    onPart({ kind: 'text', text: 'Half of it' });
    isAsked = true;
    await wait(600_000, undefined, { signal });
  };
  const { attempt, run } = attemptOf(hanging, held, wishes);
  const running = run();
  await eventually(async () => isAsked, 'the model is asked');
  await bench.generations.keep(everywhere, [attempt.progress()]);
  attempt.interrupt('stopped');
  return (await running)!.usage!.inputTokens;
}
/** Stores the checkpoint of an attempt that hasn't asked its model yet. */
const keptUnasked = (held: Generation) =>
  bench.generations.keep(everywhere, [attemptOf(async () => undefined, held).attempt.progress()]);
const inputsTold = async (conversationId: string) =>
  (await bench.eventsOf(conversationId as never))
    .filter(({ type }) => type === 'generation.attempt-ended.v1')
    .map(({ data }) => (data as { inputTokens: number }).inputTokens);

test('bills an attempt that is lost with its process for the same input as a stopped one, once', async () => {
  const { asked, find, held } = await aClaimed();
  const input = await askedAndKept(held);
  expect(input).toBeGreaterThan(0);
  const seen = await find();
  const taken = await Promise.all(['a', 'b'].map((holder) => bench.finishing.restart(seen, { ...lease, holder })));
  expect(taken.filter(Boolean)).toMatchObject([{ attempts: [{ outcome: 'interrupted', inputTokens: input }] }]);
  expect(await inputsTold(asked.conversation.id)).toEqual([input]);
});

test('bills an answer that is given up for the input of each of its attempts', async () => {
  const { asked, find, held } = await aClaimed();
  const first = await askedAndKept(held);
  const again = await bench.finishing.restart(await find(), lease);
  const second = await askedAndKept({ ...again!, upstream });
  const lost = await find();
  await bench.finishing.giveUp(lost, { text: lost.text, textEpoch: lost.textEpoch, written: lost.text });
  expect(await find()).toMatchObject({ status: 'interrupted', usage: { inputTokens: second, estimated: true } });
  expect(await inputsTold(asked.conversation.id)).toEqual([first, second]);
});

test('stores with an answer that is given up what its last attempt got from the project', async () => {
  const { asked, find, held } = await aClaimed();
  const files = [{ id: newId('file'), name: 'Plan.txt' }];
  const knowledge = { connectionIds: [], files };
  await askedAndKept(held, { ...nothingWished, projectInstructions: true, projectKnowledge: knowledge });
  const again = await bench.finishing.restart(await find(), lease);
  await askedAndKept({ ...again!, upstream }, { ...nothingWished, projectKnowledge: knowledge });
  const lost = await find();
  await bench.finishing.giveUp(lost, { text: lost.text, textEpoch: lost.textEpoch, written: lost.text });
  const place = { conversationId: asked.conversation.id, id: asked.answer.id };
  const { generation } = toMessage((await bench.messages.find(owner.scope, place))!, await find());
  expect(generation).toMatchObject({ status: 'interrupted', projectKnowledge: knowledge });
  expect(generation).not.toHaveProperty('projectInstructions');
});

test('bills no input for an attempt that asked no model, though the previous one did', async () => {
  const { asked, find, held } = await aClaimed();
  const first = await askedAndKept(held);
  await keptUnasked((await bench.finishing.restart(await find(), lease))!);
  await bench.finishing.restart(await find(), lease);
  expect(await inputsTold(asked.conversation.id)).toEqual([first, 0]);
});

test('bills only the words of an attempt that an earlier version stored', async () => {
  const { asked, find, held } = await aClaimed();
  const kept = { id: held._id, epoch: 1, text: 'Half of it', textEpoch: 1, citations: [], firstTokenAt: null };
  await bench.generations.keep(everywhere, [kept]);
  await bench.finishing.restart(await find(), lease);
  expect(await inputsTold(asked.conversation.id)).toEqual([0]);
});
