import { expect, test } from '@jest/globals';
import { composeAnswer } from './built-in-assistant.ts';
import { systemPrompt } from './prompt.ts';

const plain = { number: 2, documentName: 'Policy', heading: null, text: 'The allowance is €35.' };
const curated = {
  number: 1,
  documentName: 'How much is it?',
  heading: null,
  text: 'It is **€48**.',
  curated: { by: 'Kei Amasato', at: '2026-11-12T10:00:00.000Z' },
};
const path = [{ role: 'person', text: 'How much is it?' }] as const;
const said = (text: string) =>
  composeAnswer({ path, passages: [{ ...curated, text }, plain], documentCount: 0, locale: 'en' });

test('the built-in assistant says a curated answer word for word with its citation, and nothing else', () => {
  expect(said('It is **€48**.')).toBe('It is **€48**. [1]');
  for (const block of ['| a | b |\n|---|---|\n| 1 | 2 |', '```\ncode\n```', 'a | b\n--|--\n1 | 2 |'])
    expect(said(block)).toBe(`${block}\n\n[1]`);
});

test('a model gets it as the first passage, marked, and is told what that means only where there is one', () => {
  const prompt = systemPrompt({ instructions: '', passages: [curated, plain], onlyFromDocuments: false });
  expect(prompt).toContain('[1] Curated answer to: How much is it?\nIt is **€48**.\n\n[2] Policy\nThe allowance');
  expect(prompt).toContain('in its words');
  expect(systemPrompt({ instructions: '', passages: [plain], onlyFromDocuments: false })).not.toMatch(/curated/i);
  const onPage = { ...plain, place: { kind: 'page', number: 7 } as const };
  expect(systemPrompt({ instructions: '', passages: [onPage], onlyFromDocuments: false })).toContain(', page 7');
});
