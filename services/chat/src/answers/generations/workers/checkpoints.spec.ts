import { beforeAll, describe, expect, test } from '@jest/globals';
import { watchCommands } from '@parley/testing';
import { chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { withoutWords } from '../rows/answer-end.ts';
import type { Generation, GenerationRow } from '../rows/generation.collection.ts';
import type { GenerationsRepository, Progress } from '../rows/generations.repository.ts';
import { Checkpoints } from './checkpoints.ts';

const bench = await chatBench();
const { generations, finishing } = bench;
const rows = bench.mongo.connection.collection<GenerationRow>('generations');
beforeAll(bench.ready);

const lease = { holder: 'worker', until: new Date(Date.now() + 60_000) };

/** Creates an answer that a worker holds, with functions to read its row and its text. */
async function anAnswer() {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const seen = await bench.find(viewer, asked);
  const held = (await generations.claim(everywhere, { seen, lease, ended: null, now: new Date() }))!;
  const progress = (text: string, more: Partial<Progress> = {}): Progress => ({
    id: held._id,
    epoch: held.epoch,
    text,
    textEpoch: held.epoch,
    citations: [],
    firstTokenAt: null,
    ...more,
  });
  const stored = async () => (await rows.findOne({ _id: held._id }))!;
  const read = () => bench.find(viewer, asked);
  return { held, progress, stored, read };
}
const restart = (dead: Generation) => finishing.restart(dead, lease);

describe('checkpoints', () => {
  test('writes the whole text first, then only new text, and nothing if the text is unchanged', async () => {
    const { progress, stored, read } = await anAnswer();
    const checkpoints = new Checkpoints(generations);
    for (const text of ['One', 'One two', 'One two, three']) await checkpoints.keep([progress(text)]);
    expect(await stored()).toMatchObject({ text: 'One', pieces: [' two', ', three'], keptLength: 14 });
    expect(await read()).toMatchObject({ text: 'One two, three', textEpoch: 1 });
    expect(await read()).not.toHaveProperty('pieces');
    const { commands, stop } = watchCommands();
    await checkpoints.keep([progress('One two, three')]);
    stop();
    expect(commands).toEqual([]);
    const firstTokenAt = new Date();
    await checkpoints.keep([progress('One two, three', { firstTokenAt })]);
    expect(await stored()).toMatchObject({ pieces: [' two', ', three'], firstTokenAt });
  });

  test('leaves half of a surrogate pair for the next checkpoint', async () => {
    const { progress, read } = await anAnswer();
    const checkpoints = new Checkpoints(generations);
    for (const text of ['One', 'One \ud83d', 'One \ud83d\ude00 two']) await checkpoints.keep([progress(text)]);
    expect((await read()).text).toBe('One \ud83d\ude00 two');
  });

  test('writes the whole text again after a hundred pieces', async () => {
    const { progress, stored, read } = await anAnswer();
    const checkpoints = new Checkpoints(generations);
    const text = (length: number) => 'word '.repeat(length);
    for (let length = 1; length <= 103; length += 1) await checkpoints.keep([progress(text(length))]);
    expect((await stored()).pieces).toHaveLength(1);
    expect((await read()).text).toBe(text(103));
  });

  test('stores no piece twice, though the reply to a write is lost or a piece arrives late', async () => {
    const { progress, stored, read } = await anAnswer();
    let isLost = false;
    const keep: GenerationsRepository['keep'] = async (...given) => {
      await generations.keep(...given);
      if (isLost) throw new Error('The connection was lost.');
    };
    const checkpoints = new Checkpoints({ keep });
    await checkpoints.keep([progress('One')]);
    isLost = true;
    await expect(checkpoints.keep([progress('One two')])).rejects.toThrow('lost');
    isLost = false;
    await checkpoints.keep([progress('One two three')]);
    const { text: _text, citations: _citations, ...late } = progress('');
    await generations.keep(everywhere, [{ ...late, from: 3, piece: ' two' }]);
    expect(await stored()).toMatchObject({ text: 'One two three', pieces: [] });
    expect((await read()).text).toBe('One two three');
  });
});

describe('an answer stored in pieces', () => {
  async function inPieces() {
    const answer = await anAnswer();
    const checkpoints = new Checkpoints(generations);
    for (const text of ['One', 'One two', 'One two, three']) await checkpoints.keep([answer.progress(text)]);
    return { ...answer, checkpoints };
  }

  test('keeps text in pieces when another worker takes the answer over, until that has written more', async () => {
    const { read, stored, progress } = await inPieces();
    const next = (await restart(await read()))!;
    expect(next).toMatchObject({ epoch: 2, text: 'One two, three', textEpoch: 1 });
    expect((await read()).text).toBe('One two, three');
    const checkpoints = new Checkpoints(generations);
    await checkpoints.keep([progress('One two, three', { epoch: 2, textEpoch: 1 })]);
    await checkpoints.keep([progress('Another one, longer', { epoch: 2, textEpoch: 2 })]);
    expect(await stored()).toMatchObject({ text: 'Another one, longer', pieces: [], keptEpoch: 2 });
  });

  test('stores the whole text of an ended answer, without pieces', async () => {
    const { held, stored, read } = await inPieces();
    const { text, citations } = await read();
    await finishing.finish(held, { ...withoutWords('stopped', held), text, citations });
    expect(await stored()).toMatchObject({ text: 'One two, three', pieces: [], status: 'stopped' });
  });

  test('reads only the text of an older process, which knows no pieces', async () => {
    const { held, read } = await inPieces();
    // The older process takes the answer over with the longer text of the live stream.
    await rows.updateOne({ _id: held._id }, { $set: { text: 'One two, three and', epoch: 2 } });
    expect((await read()).text).toBe('One two, three and');
    await rows.updateOne({ _id: held._id }, { $set: { text: 'Its own words', textEpoch: 2 } });
    expect((await read()).text).toBe('Its own words');
    await rows.updateOne({ _id: held._id }, { $set: { text: 'One', textEpoch: 1, status: 'interrupted' } });
    expect((await read()).text).toBe('One');
  });
});
