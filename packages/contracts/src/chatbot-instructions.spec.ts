import { expect, test } from '@jest/globals';
import { unknownVariables, withValues } from './chatbot-instructions.ts';

const values = { 'org.name': 'Acme', 'person.name': '{{today}}', 'person.locale': 'de', today: '2026-11-24' };

test('replaces variables anywhere in the text, with or without blanks in the braces', () => {
  expect(withValues('{{org.name}} on {{ today }}: {{org.name}}', values)).toBe('Acme on 2026-11-24: Acme');
});

test('does not replace variables inside a value', () => {
  expect(withValues('For {{person.name}}', values)).toBe('For {{today}}');
});

test('keeps an unknown variable in the text and reports it once', () => {
  const text = 'Ask {{oncall.name}}, {{oncall.name}} or {{}}; {{today}}';
  expect(withValues(text, values)).toBe('Ask {{oncall.name}}, {{oncall.name}} or {{}}; 2026-11-24');
  expect(unknownVariables(text)).toEqual(['oncall.name', '']);
});

test('reads a megabyte of braces in linear time', () => {
  expect(unknownVariables('{'.repeat(1_000_000))).toEqual([]);
});
