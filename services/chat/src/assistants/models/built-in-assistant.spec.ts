import { describe, expect, test } from '@jest/globals';
import { BuiltInAssistant, composeAnswer } from './built-in-assistant.ts';

const ask = (text: string) => [{ role: 'person' as const, text }];
const passage = {
  number: 1,
  documentName: 'Leave policy',
  heading: 'Holidays',
  text: 'Everyone has 30 days. Carry-over ends in March. Ask your lead.',
};

describe('the built-in assistant', () => {
  const continuing = async (beginning: string) => {
    let said = '';
    const about = {
      instructions: '',
      onlyFromDocuments: false,
      temperature: null,
      passages: [],
      maxOutputTokens: null,
      stops: [],
      documentCount: 2,
      contextTokens: 8_000,
      locale: 'en',
      signal: new AbortController().signal,
    };
    await new BuiltInAssistant().answer({ path: ask('x'), beginning, ...about }, (part) => {
      if (part.kind === 'text') said += part.text;
    });
    return { said, whole: composeAnswer({ path: ask('x'), ...about }) };
  };
  test('goes on where it stopped, or says the whole where it would begin otherwise by now', async () => {
    const { said, whole } = await continuing('Nothing in your ');
    expect(`Nothing in your ${said}`).toBe(whole);
    expect((await continuing('The model said ')).said).toBe(`\n\n${whole}`);
    expect((await continuing(whole)).said).toBe('');
  });
  test('without documents says what it can and cannot do', () => {
    const answer = composeAnswer({ path: ask('hello'), passages: [], documentCount: 0, locale: 'en' });
    expect(answer).toContain('What works now');
    expect(answer).toContain('What does not');
  });
  test('quotes the sentence that shares most words, with its number', () => {
    const answer = composeAnswer({
      path: ask('when does carry-over end?'),
      passages: [passage],
      documentCount: 3,
      locale: 'en',
    });
    expect(answer).toContain('> Carry-over ends in March. [1]');
    expect(answer).toContain('The built-in assistant quotes your documents.');
  });
  test('says that nothing matches', () => {
    expect(composeAnswer({ path: ask('x'), passages: [], documentCount: 2, locale: 'en' })).toContain(
      'Nothing in your documents answers this.',
    );
  });
  test('speaks Arabic to readers of Arabic', () => {
    expect(composeAnswer({ path: ask('x'), passages: [], documentCount: 0, locale: 'ar' })).toMatch(/[\u0600-\u06FF]/);
  });
});
