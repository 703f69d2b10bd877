import { expect, test } from '@jest/globals';
import { unknownVariables, withValues } from './chatbot-instructions.ts';

const values = { 'org.name': 'Acme', 'person.name': '{{today}}', 'person.locale': 'de', today: '2026-11-24' };

test('variables are replaced wherever they stand, blanks in the braces or not', () => {
  expect(withValues('{{org.name}} on {{ today }}: {{org.name}}', values)).toBe('Acme on 2026-11-24: Acme');
});

test('a value is not read for variables again', () => {
  expect(withValues('For {{person.name}}', values)).toBe('For {{today}}');
});

test('what is no variable stays, and is named once', () => {
  const text = 'Ask {{oncall.name}}, {{oncall.name}} or {{}}; {{today}}';
  expect(withValues(text, values)).toBe('Ask {{oncall.name}}, {{oncall.name}} or {{}}; 2026-11-24');
  expect(unknownVariables(text)).toEqual(['oncall.name', '']);
});

test('a megabyte of braces is read at once', () => {
  expect(unknownVariables('{'.repeat(1_000_000))).toEqual([]);
});
