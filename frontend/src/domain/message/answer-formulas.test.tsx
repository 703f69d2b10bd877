import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, render, waitFor } from '@testing-library/react';
import katex from 'katex';
import { IntlWrapper } from '../../testing/render.tsx';
import { AnswerText } from './answer-text.tsx';
import { loadMarkdown } from './markdown-blocks.ts';

const nothing = () => undefined;
const answer = (text: string, isWriting = false, key = 0) => (
  <AnswerText key={key} text={text} isWriting={isWriting} citations={[]} openSource={null} onOpenSource={nothing} />
);
const show = (texts: readonly string[]) =>
  render(<IntlWrapper>{texts.map((text, index) => answer(text, false, index))}</IntlWrapper>);
/** Drawn formulas stay cached, so each test uses formulas of its own. */
const formulas = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `$${name}_{${index}}$`);
const drawnIn = (content: Element) => content.querySelectorAll('.md-drawn math').length;

beforeAll(async () => {
  await loadMarkdown();
  const { container, unmount } = show(['$z$']);
  await waitFor(() => expect(drawnIn(container)).toBe(1));
  unmount();
  await new Promise((resolve) => setTimeout(resolve));
});
let draws = 0;
/** Timers that are due, each a task of its own. */
let tasks = new Map<number, () => void>();
beforeEach(() => {
  draws = 0;
  tasks = new Map();
  let next = 1;
  const later = (task: () => void) => tasks.set(next, task) && next++;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(later as never);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => void tasks.delete(Number(timer)));
  const real = katex.renderToString;
  jest.spyOn(katex, 'renderToString').mockImplementation((...given) => {
    draws += 1;
    return real(...given);
  });
});
afterEach(() => {
  runTasks();
  jest.restoreAllMocks();
});

/** Runs the next task; returns how many formulas it drew. */
function drawsOfNextTask(): number {
  const before = draws;
  const [[timer, task] = [0, nothing]] = tasks;
  tasks.delete(timer);
  act(task);
  return draws - before;
}
function runTasks(): number[] {
  const counts: number[] = [];
  while (tasks.size > 0 && counts.length < 500) counts.push(drawsOfNextTask());
  return counts;
}

describe('the formulas of an answer', () => {
  it.each([
    ['of one paragraph', [formulas('a', 75).join(' and ')]],
    ['of many paragraphs', [formulas('b', 75).join('\n\n')]],
    ['of many answers', formulas('c', 75)],
  ])('are drawn at most five in a task, and all in the end: those %s', (_name, texts) => {
    const { container } = show(texts);
    expect(draws).toBeLessThanOrEqual(5);
    expect(Math.max(...runTasks())).toBeLessThanOrEqual(5);
    expect([draws, drawnIn(container)]).toEqual([75, 75]);
  });

  it('are drawn no further once it is gone', () => {
    const { unmount } = show([formulas('e', 75).join(' and ')]);
    drawsOfNextTask();
    const before = draws;
    unmount();
    runTasks();
    expect([before < 75, draws]).toEqual([true, before]);
  });

  it('are drawn at once where they are few', () => {
    expect(drawnIn(show([formulas('d', 5).join(' and ')]).container)).toBe(5);
  });
});
