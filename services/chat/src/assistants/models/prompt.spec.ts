import { describe, expect, test } from '@jest/globals';
import type { ModelRequest, ModelMessage } from './model-client.ts';
import { inputTokensAtMost, messagesOf } from './prompt.ts';

const requestOf = (more: Partial<ModelRequest>): ModelRequest => ({
  instructions: '',
  onlyFromDocuments: false,
  temperature: null,
  path: [],
  beginning: '',
  passages: [],
  documentCount: 0,
  contextTokens: 2_000,
  maxOutputTokens: null,
  stops: [],
  locale: 'en',
  signal: new AbortController().signal,
  ...more,
});
const message = (text: string, at = 0): ModelMessage => ({ role: at % 2 === 0 ? 'person' : 'assistant', text });
/** Of 300 characters, about 132 tokens. */
const path = (count: number) => Array.from({ length: count }, (_each, at) => message(`${at} `.padEnd(300, 'x'), at));
const sent = (more: Partial<ModelRequest>) => messagesOf(requestOf(more)).slice(1);

describe('what a model is sent of a conversation', () => {
  test('is its newest messages, as many as its context leaves beside the answer and the rest', () => {
    const all = path(41);
    const of = (more: Partial<ModelRequest>) => sent({ path: all, ...more });
    expect(of({ contextTokens: 200_000 })).toHaveLength(41);
    const few = of({});
    expect(few.map(({ content }) => content)).toEqual(all.slice(-few.length).map(({ text }) => text));
    // 2,000 tokens less a quarter for the answer and about 90 for what it is told.
    expect(few).toHaveLength(10);
    expect(of({ maxOutputTokens: 100 })).toHaveLength(13);
    expect(of({ contextTokens: 4_000 })).toHaveLength(22);
    const passage = { number: 1, documentName: 'Handbook', heading: null, text: 'y'.repeat(1_500) };
    expect(of({ passages: [passage] }).length).toBeLessThan(7);
    expect(of({ beginning: 'z'.repeat(900) }).length).toBeLessThan(10);
  });

  test('counts the signs of each script for what they cost', () => {
    const of = (sign: string) =>
      sent({ path: Array.from({ length: 41 }, (_e, at) => message(sign.repeat(300), at)) }).length;
    expect([of('ب') < of('x'), of('字') < of('ب')]).toEqual([true, true]);
  });

  test('has the question, however long it and all else is', () => {
    const long = message('q'.repeat(90_000));
    const passage = { number: 1, documentName: 'Handbook', heading: null, text: 'y'.repeat(9_000) };
    expect(sent({ path: [message('before'), message('answer', 1), long], passages: [passage] })).toEqual([
      { role: 'user', content: long.text },
    ]);
  });

  test('shows the end of what is gone on with, and no more of it than a share of the context', () => {
    const beginning = `${'a'.repeat(20_000)}end`;
    const shown = (contextTokens: number) =>
      sent({ path: [message('Tell me.')], beginning, contextTokens }).at(-2)!.content;
    expect([shown(128_000).length, shown(2_000).length]).toEqual([12_000, 1_000]);
    expect(shown(2_000)).toMatch(/^a+end$/);
  });

  test('joins what one side says in a row, with all files and images of it: many templates want messages to alternate', () => {
    const image = (name: string) => ({ name, tokens: 5, read: async () => null });
    const asked: ModelMessage[] = [
      message('One?'),
      { role: 'person', text: 'Two?', files: [{ name: 'a.txt', text: 'A' }], images: [image('one')] },
      message('First.', 1),
      message('Second.', 1),
      { role: 'person', text: '', images: [image('two')] },
      { role: 'person', text: 'Three?', images: [image('three')] },
    ];
    const joined = sent({ path: asked });
    expect(joined.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'One?\n\n<file name="a.txt">\nA\n</file>\n\nTwo?'],
      ['assistant', 'First.\n\nSecond.'],
      ['user', 'Three?'],
    ]);
    expect(joined.map(({ images = [] }) => images.map(({ name }) => name))).toEqual([['one'], [], ['two', 'three']]);
    const goingOn = sent({ path: [message('One?'), message('Two?')], beginning: 'Begun' });
    expect(goingOn.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('is what a budget holds for, not what was left out', () => {
    const held = inputTokensAtMost(requestOf({ path: path(41) }));
    expect(held).toBeGreaterThan(inputTokensAtMost(requestOf({ path: path(1) })));
    expect(held).toBeLessThan(inputTokensAtMost(requestOf({ path: path(41), contextTokens: 200_000 })) / 3);
  });
});
