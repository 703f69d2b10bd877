import { describe, expect, it } from '@jest/globals';
import type { GenerationId, Message, MessageId } from '@parley/contracts';
import { sampleAnswer, sampleIds, samplePath } from '../../testing/samples.ts';
import { newAnswer, versionsOf, type PathPage } from './conversation-path.ts';
import {
  applyChanges,
  applyFrames,
  applyMessages,
  applyNewestPage,
  applyOlderPage,
  applyPath,
  emptyConversation,
  isAnswering,
  visibleText,
  type ConversationStreamState,
} from './conversation-stream-state.ts';

const ulid = (n: number) => String(n).padStart(26, '0');
const { conversation: conversationId } = sampleIds;
const generationId = `gen_${ulid(2)}` as GenerationId;
const running = sampleAnswer({
  status: 'running',
  epoch: 1,
  startedAt: null,
  finishedAt: null,
  usage: null,
}).generation!;

/** What has changed, as told of the path to `leafId`. */
const told = (leafId: MessageId, items: Message[], more: Partial<PathPage>): PathPage => ({
  ...samplePath(items),
  leafId,
  ...more,
});
/** Questions and answers, each following the one before. */
const lineOf = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_unused, index) => {
    const n = from + index;
    const isQuestion = n % 2 === 1;
    return sampleAnswer(
      { status: 'done' },
      {
        id: `msg_${ulid(n)}` as MessageId,
        position: n,
        sequence: n,
        depth: n,
        role: isQuestion ? 'person' : 'assistant',
        parentId: n === 1 ? null : (`msg_${ulid(n - 1)}` as MessageId),
        ...(isQuestion && { generation: null }),
      },
    );
  });
const ids = (state: ConversationStreamState) => state.messages.map(({ id }) => Number(id.slice(4)));

describe('a path among branches', () => {
  const line = lineOf(1, 4);
  const [first, second, third, fourth] = line as [Message, Message, Message, Message];
  const opened = () => applyNewestPage(emptyConversation(conversationId), samplePath(line));
  const child = (n: number, of: Message, over: Partial<Message> = {}): Message => ({
    ...of,
    id: `msg_${ulid(n)}` as MessageId,
    position: n,
    sequence: n,
    ...over,
  });
  const elsewhere = (one: Message) => {
    const { id, parentId, author, position, sequence, role, generation: written } = one;
    return { id, parentId, author, position, sequence, role, status: written?.status ?? null };
  };

  it('leaves no hole when changes from the beginning come before or after the newest page', () => {
    const line = lineOf(1, 10);
    const positions = (state: ConversationStreamState) => state.messages.map(({ position }) => position);
    const newest = { ...samplePath(line.slice(7)), hasOlder: true };
    const accepted = applyMessages(emptyConversation(conversationId), line.slice(8));
    expect(accepted.messages).toEqual([]);
    const early = told(line[3]!.id, line.slice(0, 4), { sequence: 4 });
    for (const state of [
      applyNewestPage(applyChanges(accepted, early), newest),
      applyChanges(applyNewestPage(accepted, newest), told(line[9]!.id, line.slice(0, 4), { sequence: 10 })),
    ]) {
      expect([positions(state), state.hasOlder]).toEqual([[8, 9, 10], true]);
      expect(positions(applyOlderPage(state, { ...samplePath(line.slice(0, 7)), sequence: 10 }))).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
    }
  });

  it('goes to what this client has asked, in place of what followed', () => {
    const edited = child(5, third);
    const state = applyMessages(opened(), [edited, child(6, fourth, { parentId: edited.id })]);
    expect(ids(state)).toEqual([1, 2, 5, 6]);
    expect(versionsOf(state.versions, edited)).toEqual([third.id, edited.id]);
    const again = applyMessages(state, [child(7, second)]);
    expect(ids(again)).toEqual([1, 7]);
    const other = applyMessages(again, [child(8, first)]);
    expect([ids(other), other.hasOlder]).toEqual([[8], false]);
  });

  it('goes on with what follows its end, the newest where several do', () => {
    const [fifth, sixth] = lineOf(5, 6) as [Message, Message];
    const newer = child(7, fifth);
    const state = applyChanges(opened(), told(fourth.id, [fifth, sixth, newer], { sequence: 7 }));
    expect(ids(state)).toEqual([1, 2, 3, 4, 7]);
  });

  it('stays where another client branches off, and counts the versions', () => {
    const edited = child(5, third);
    const more = { elsewhere: [elsewhere(edited)], versions: [{ parentId: second.id, ids: [third.id, edited.id] }] };
    const state = applyChanges(opened(), told(fourth.id, [], { sequence: 5, ...more }));
    expect([ids(state), state.sequence]).toEqual([[1, 2, 3, 4], 5]);
    expect(versionsOf(state.versions, third)).toEqual([third.id, edited.id]);
    expect(isAnswering(state)).toBe(false);
  });

  it('follows a new answer to its last question, and no answer that is known', () => {
    const again = child(5, fourth, { generation: running });
    const more = { elsewhere: [elsewhere(again)], versions: [{ parentId: third.id, ids: [fourth.id, again.id] }] };
    const state = opened();
    expect(newAnswer(state.messages, state.versions, more)).toBe(again.id);
    const after = applyChanges(state, told(fourth.id, [], { sequence: 5, ...more }));
    expect(isAnswering(after)).toBe(true);
    expect(newAnswer(after.messages, after.versions, more)).toBeNull();
    const ended = { ...elsewhere(again), status: 'done' as const };
    expect(isAnswering(applyChanges(after, told(fourth.id, [], { sequence: 6, elsewhere: [ended] })))).toBe(false);
  });

  it('forgets the versions of which a page names none any more', () => {
    const edited = child(5, third);
    const before = {
      ...samplePath([first, second, edited]),
      versions: [{ parentId: second.id, ids: [third.id, edited.id] }],
    };
    const state = applyNewestPage(emptyConversation(conversationId), before);
    expect(versionsOf(state.versions, edited)).toHaveLength(2);
    expect(versionsOf(applyPath(state, { ...samplePath(line), sequence: 6 }).versions, third)).toBeNull();
  });

  it('takes nothing that was told of another path', () => {
    const state = opened();
    expect(applyChanges(state, told(second.id, [child(5, third)], { sequence: 5 }))).toBe(state);
    expect(applyOlderPage(state, samplePath([child(9, first)]))).toBe(state);
  });

  it('ends in front of a deleted message', () => {
    const gone = { ...third, sequence: 5, text: '', isDeleted: true };
    expect(ids(applyChanges(opened(), told(fourth.id, [gone], { sequence: 5 })))).toEqual([1, 2]);
  });

  it('keeps the text of an answer that is written on the branch that was left', () => {
    const written = child(5, fourth, { text: '', generation: { ...running, id: generationId } });
    const asked = applyMessages(opened(), [written]);
    const frames = applyFrames(asked, [[generationId, 1, 1, 0, 'Hel']]);
    const left = applyPath(frames, { ...samplePath([third, fourth]), sequence: 5, elsewhere: [elsewhere(written)] });
    expect([ids(left), isAnswering(left), left.stream?.text]).toEqual([[1, 2, 3, 4], true, 'Hel']);
    const more = applyFrames(left, [[generationId, 1, 2, 3, 'lo']]);
    const back = applyPath(more, samplePath([third, written]));
    expect(visibleText(back, written).text).toBe('Hello');
    const over = { ...elsewhere(written), status: 'done' as const };
    expect(applyChanges(more, told(fourth.id, [], { sequence: 6, elsewhere: [over] })).stream).toBeNull();
  });
});
