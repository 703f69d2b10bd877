import { describe, expect, it } from '@jest/globals';
import type { GenerationFrame, GenerationId, Message, MessageId } from '@parley/contracts';
import { sampleAnswer, sampleIds } from '../../testing/samples.ts';
import type { PathPage } from './conversation-path.ts';
import {
  applyChanges,
  applyFrame,
  applyFrames,
  applyMessages,
  applyNewestPage,
  applyOlderPage,
  emptyConversation,
  expectAnswer,
  needsFetch,
  needsReopen,
  runningAnswer,
  streamToFollow,
  visibleText,
  visibleThoughts,
  type ConversationStreamState,
} from './conversation-stream-state.ts';

const ulid = (n: number) => String(n).padStart(26, '0');
const { conversation: conversationId, answer: answerId, generation: generationId } = sampleIds;
const laterGenerationId = `gen_${ulid(2)}` as GenerationId;

const message = (over: Partial<Message> = {}): Message =>
  sampleAnswer({}, { text: '', generation: generation('running', 1), ...over });

const generation = (status: NonNullable<Message['generation']>['status'], epoch: number): Message['generation'] =>
  sampleAnswer({ status, epoch, startedAt: null, finishedAt: null, usage: null }).generation;

type Over = { generationId?: GenerationId; epoch?: number; end?: GenerationFrame[5] };
function frame(seq: number, [offset, delta]: [number, string], over: Over = {}): GenerationFrame {
  const piece = [over.generationId ?? generationId, over.epoch ?? 1, seq, offset, delta] as const;
  return over.end ? [...piece, over.end] : piece;
}

const page = (items: Message[], sequence: number, hasOlder = false): PathPage => ({
  items,
  sequence,
  hasOlder,
  title: 'Title',
  leafId: items.at(-1)?.id ?? answerId,
  placeVersion: 0,
  versions: [],
  elsewhere: [],
});
const running = (text = '') => applyNewestPage(emptyConversation(conversationId), page([message({ text })], 2));
const shown = (state: ConversationStreamState) =>
  visibleText(state, state.messages.find((m) => m.id === answerId) as Message);

describe('frames of a running answer', () => {
  it('appends frames in order', () => {
    const state = applyFrames(running(), [frame(1, [0, 'Hel']), frame(2, [3, 'lo'])]);
    expect(shown(state)).toEqual({ text: 'Hello', isEarlierAttempt: false });
    expect(streamToFollow(state)).toEqual({ generationId, epoch: 1, seq: 2 });
  });

  it('drops frames already seen, in any order', () => {
    const frames = [frame(1, [0, 'Hel']), frame(2, [3, 'lo']), frame(3, [5, '.'])];
    const state = applyFrames(running(), [
      ...frames,
      ...frames,
      frames[1] as GenerationFrame,
      frames[0] as GenerationFrame,
    ]);
    expect(shown(state).text).toBe('Hello.');
    expect(applyFrame(state, frames[2] as GenerationFrame)).toBe(state);
  });

  it('notices a gap, keeps the text and heals by a replay', () => {
    const broken = applyFrames(running(), [frame(1, [0, 'Hel']), frame(3, [5, '.'])]);
    expect(needsReopen(broken)).toBe(true);
    expect(shown(broken).text).toBe('Hel');
    expect(streamToFollow(broken)).toEqual({ generationId, epoch: 1, seq: 1 });
    const healed = applyFrames(broken, [frame(2, [3, 'lo']), frame(3, [5, '.'])]);
    expect(needsReopen(healed)).toBe(false);
    expect(shown(healed).text).toBe('Hello.');
  });

  it('asks for the beginning when it joined late', () => {
    const state = applyFrame(running(), frame(7, [40, 'late']));
    expect(needsReopen(state)).toBe(true);
    expect(streamToFollow(state)).toEqual({ generationId, epoch: 1, seq: 0 });
  });

  it('takes a replay that was put into one frame', () => {
    const state = applyFrames(running(), [frame(12, [0, 'All so far']), frame(13, [10, '.'])]);
    expect(needsReopen(state)).toBe(false);
    expect(shown(state).text).toBe('All so far.');
  });

  it('never shows less than the known checkpoint while a replay catches up', () => {
    const state = applyFrame(running('Hello wor'), frame(1, [0, 'Hello']));
    expect(shown(state).text).toBe('Hello wor');
    expect(shown(applyFrame(state, frame(2, [5, ' world']))).text).toBe('Hello world');
  });

  it('ignores frames of other conversations', () => {
    const state = running();
    expect(applyFrame(state, frame(1, [0, 'x'], { generationId: `gen_${ulid(9)}` as GenerationId }))).toBe(state);
  });

  it('takes frames before the durable message is known', () => {
    const expecting = expectAnswer(emptyConversation(conversationId), { generationId, answerId });
    const state = applyFrame(expecting, frame(1, [0, 'Early']));
    expect(shown(applyNewestPage(state, page([message()], 2))).text).toBe('Early');
  });

  it('counts offsets in UTF-16 units', () => {
    expect(shown(applyFrames(running(), [frame(1, [0, '👋']), frame(2, [2, ' hi'])])).text).toBe('👋 hi');
  });
});

describe('a new epoch', () => {
  const interrupted = applyFrames(running(), [frame(1, [0, 'First try'])]);

  it('keeps the old text until the first new token', () => {
    const begun = applyFrame(interrupted, frame(1, [0, ''], { epoch: 2 }));
    expect(shown(begun)).toEqual({ text: 'First try', isEarlierAttempt: true });
    const second = applyFrame(begun, frame(2, [0, 'Sec'], { epoch: 2 }));
    expect(shown(second)).toEqual({ text: 'Sec', isEarlierAttempt: false });
  });

  it('shows what the model thinks in this attempt, nothing of the earlier one', () => {
    const thought = (epoch: number, seq: number, text: string) =>
      [generationId, epoch, seq, 0, '', undefined, [0, text]] as unknown as GenerationFrame;
    const thoughts = (state: ConversationStreamState) =>
      visibleThoughts(state, state.messages.find((m) => m.id === answerId) as Message);
    const first = applyFrame(running(), thought(1, 1, 'An idea'));
    expect(thoughts(first)).toBe('An idea');
    const begun = applyFrame(first, frame(1, [0, ''], { epoch: 2 }));
    expect(thoughts(begun)).toBe('');
    expect(thoughts(applyFrame(begun, thought(2, 2, 'Another')))).toBe('Another');
  });

  it('drops late frames of the old epoch', () => {
    const second = applyFrame(interrupted, frame(1, [0, 'Sec'], { epoch: 2 }));
    expect(applyFrame(second, frame(2, [9, ' more']))).toBe(second);
  });

  it('keeps the old text over two restarts without a token', () => {
    const state = applyFrames(interrupted, [frame(1, [0, ''], { epoch: 2 }), frame(1, [0, ''], { epoch: 3 })]);
    expect(shown(state)).toEqual({ text: 'First try', isEarlierAttempt: true });
  });

  it('uses the checkpoint when the old text is only durable', () => {
    const state = applyFrame(running('From the checkpoint'), frame(1, [0, ''], { epoch: 2 }));
    expect(shown(state)).toEqual({ text: 'From the checkpoint', isEarlierAttempt: true });
  });

  it('shows the durable text when it is of a later attempt than the stream', () => {
    const state = applyChanges(
      interrupted,
      page([message({ sequence: 3, text: 'Later', generation: generation('running', 2) })], 3),
    );
    expect(shown(state).text).toBe('Later');
  });

  it('has a gap of its own when its start was missed', () => {
    const state = applyFrame(interrupted, frame(4, [12, 'x'], { epoch: 2 }));
    expect(needsReopen(state)).toBe(true);
    expect(streamToFollow(state)).toEqual({ generationId, epoch: 2, seq: 0 });
    expect(shown(state)).toEqual({ text: 'First try', isEarlierAttempt: true });
  });
});

describe('the end', () => {
  const ended = applyFrames(running(), [frame(1, [0, 'Done']), frame(2, [4, ''], { end: 'done' })]);

  it('asks for the durable message and keeps the text meanwhile', () => {
    expect(needsFetch(ended)).toBe(true);
    expect(shown(ended).text).toBe('Done');
    expect(streamToFollow(ended)).toBeUndefined();
  });

  it('lets the durable message win', () => {
    const state = applyChanges(
      ended,
      page([message({ sequence: 4, text: 'Done.', generation: generation('done', 1) })], 4),
    );
    expect(state.stream).toBeNull();
    expect(needsFetch(state)).toBe(false);
    expect(shown(state).text).toBe('Done.');
    expect(state.sequence).toBe(4);
  });

  it('drops frames after the end and after the durable end', () => {
    expect(applyFrame(ended, frame(3, [4, 'x']))).toBe(ended);
    const state = applyChanges(
      ended,
      page([message({ sequence: 4, text: 'Done.', generation: generation('done', 1) })], 4),
    );
    expect(applyFrame(state, frame(1, [0, 'Done']))).toBe(state);
    expect(applyFrame(state, frame(2, [4, ''], { end: 'done' }))).toBe(state);
  });

  it('restarts after an interruption under a higher epoch', () => {
    const state = applyChanges(
      ended,
      page([message({ sequence: 4, text: 'Half', generation: generation('interrupted', 1) })], 4),
    );
    const again = applyFrame(state, frame(1, [0, ''], { epoch: 2 }));
    expect(shown(again)).toEqual({ text: 'Half', isEarlierAttempt: true });
  });

  it('switches to the next generation and refuses the one before', () => {
    const nextAnswer = `msg_${ulid(4)}` as MessageId;
    const next = applyFrame(
      expectAnswer(ended, { generationId: laterGenerationId, answerId: nextAnswer }),
      frame(1, [0, 'Next'], { generationId: laterGenerationId }),
    );
    expect(next.stream?.text).toBe('Next');
    expect(applyFrame(next, frame(3, [4, 'x']))).toBe(next);
  });
});

describe('durable messages', () => {
  const question = message({
    id: `msg_${ulid(1)}` as MessageId,
    position: 1,
    sequence: 1,
    role: 'person',
    text: 'Why',
    parentId: null,
    generation: null,
  });

  it('keeps the newer copy of a message', () => {
    const state = applyChanges(running(), page([message({ sequence: 5, text: 'new' })], 5));
    const old = applyMessages(state, [message({ sequence: 3, text: 'old' })]);
    expect(old.messages.map((m) => m.text)).toEqual(['new']);
    expect(old.sequence).toBe(5);
  });

  it('pages back without moving the sequence', () => {
    const state = applyOlderPage({ ...running(), hasOlder: true }, page([question], 9));
    expect(state.messages.map((m) => m.position)).toEqual([1, 2]);
    expect(state.hasOlder).toBe(false);
    expect(state.sequence).toBe(2);
  });

  it('ignores a newest page that was overtaken', () => {
    const state = applyChanges(running(), page([], 7));
    expect(applyNewestPage(state, page([], 3))).toBe(state);
  });

  it('keeps older pages when the newest page is read again', () => {
    const state = applyOlderPage({ ...running(), hasOlder: true }, page([question], 9));
    const again = applyNewestPage(state, page([message({ sequence: 3 })], 3, true));
    expect(again.messages).toHaveLength(2);
    expect(again.hasOlder).toBe(false);
  });

  it('knows the running answer', () => {
    expect(runningAnswer(running())?.id).toBe(answerId);
    expect(
      runningAnswer(applyChanges(running(), page([message({ sequence: 3, generation: generation('failed', 1) })], 3))),
    ).toBeNull();
  });
});

describe('replay from any point', () => {
  const text = 'The quick brown fox jumps over the lazy dog.';
  const frames: GenerationFrame[] = text.split('').map((letter, index) => frame(index + 1, [index, letter]));

  it.each([0, 1, 7, 43])('ends with the same text when it resumes at %i and frames are repeated and lost', (held) => {
    const before = applyFrames(running(), frames.slice(0, held));
    const lossy = applyFrames(
      before,
      frames.filter((_, index) => index > held + 2),
    );
    const from = streamToFollow(lossy)?.seq ?? 0;
    const healed = applyFrames(lossy, [...frames.slice(from), ...frames.slice(0, 5)]);
    expect(shown(healed).text).toBe(text);
    expect(needsReopen(healed)).toBe(false);
  });
});
