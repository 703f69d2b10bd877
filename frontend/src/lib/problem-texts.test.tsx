import { expect, it } from '@jest/globals';
import { problemCatalogue, quotaLimits } from '@parley/contracts';
import type { ProblemCode } from '@parley/protocol';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createIntl, IntlProvider, type IntlShape } from 'react-intl';
import { ProblemError } from './http.ts';
import { LateProblemWords, useProblemText } from './problem-texts.ts';
import { IntlWrapper } from '../testing/render.tsx';

it('has words for every code of the catalogue', () => {
  const { result } = renderHook(() => useProblemText(), { wrapper: IntlWrapper });
  const words = Object.keys(problemCatalogue).map(
    (code) => result.current(new ProblemError({ type: '', title: '', status: 400, code: code as ProblemCode })).text,
  );
  expect(new Set(words).size).toBe(words.length);
});

it('sends nobody to reload a chat: what was deleted is gone then, too', () => {
  const { result } = renderHook(() => useProblemText(), { wrapper: IntlWrapper });
  const ofChats = ['conversation', 'message', 'generation', 'file', 'queue', 'too-many'].map((of) => `chat.${of}`);
  const codes = Object.keys(problemCatalogue).filter((code) => ofChats.some((of) => code.startsWith(of)));
  expect(codes.length).toBeGreaterThan(8);
  const words = [...codes, 'platform.conflict'].map(
    (code) => result.current(new ProblemError({ type: '', title: '', status: 404, code: code as ProblemCode })).text,
  );
  expect(words.filter((text) => /reload/i.test(text))).toEqual([]);
});

it.each(Object.entries(quotaLimits))('says what to do where the quota of %s is full', (_name, { problem: code }) => {
  const { result } = renderHook(() => useProblemText(), { wrapper: IntlWrapper });
  const { status } = problemCatalogue[code];
  const { text } = result.current(new ProblemError({ type: '', title: '', status, code }));
  expect(text).toMatch(/\b(delete|revoke|ask|transfer)\b/i);
  expect(text).not.toMatch(/seconds|minutes/i);
});

it('says how long to wait', () => {
  const { result } = renderHook(() => useProblemText(), { wrapper: IntlWrapper });
  const limited = new ProblemError({
    type: '',
    title: '',
    status: 429,
    code: 'platform.rate-limited',
    retryAfterSeconds: 30,
  });
  expect(result.current(limited).text).toContain('30 seconds');
});

it('has general words until those that come late are there', () => {
  const general = { 'problem.platform.internal': 'Something failed on the server.' };
  const late = createIntl({ locale: 'en', messages: { 'problem.chat.queue-full': 'Withdraw a question.' } });
  const wrapper = ({ children, words }: { children: ReactNode; words: IntlShape | null }) => (
    <IntlProvider locale="en" messages={general}>
      <LateProblemWords value={words}>{children}</LateProblemWords>
    </IntlProvider>
  );
  const full = new ProblemError({ type: '', title: '', status: 409, code: 'chat.queue-full' });
  const textWith = (words: IntlShape | null) =>
    renderHook(() => useProblemText(), { wrapper: ({ children }) => wrapper({ children, words }) }).result.current(full)
      .text;
  expect(textWith(null)).toBe('Something failed on the server.');
  expect(textWith(late)).toBe('Withdraw a question.');
});
