import { describe, expect, test } from '@jest/globals';
import { titleFrom } from './conversation.ts';

describe('making a title from a question', () => {
  test.each([
    ['What changed?', 'What changed?'],
    ['  one\ttwo \nsecond line', 'one two'],
    ['a'.repeat(100), `${'a'.repeat(59)}…`],
    [`${'a'.repeat(58)}👋👋`, `${'a'.repeat(58)}…`],
    ['Hi there, can you compare the plans?', 'Can you compare the plans?'],
    ['Hello!\n\nWhich relays trip first?', 'Which relays trip first?'],
    ['Guten Morgen zusammen, was kostet Tarif B?', 'Was kostet Tarif B?'],
    ['مرحبا، ما هي الأسعار؟', 'ما هي الأسعار؟'],
    ['Hi', 'Hi'],
    // A greeting ends with a comma, an exclamation mark or its line; otherwise it is part of the question.
    ['Hello world in Rust?', 'Hello world in Rust?'],
    ['Hello there is a leak', 'Hello there is a leak'],
    ['Dear customer letters: which are due?', 'Dear customer letters: which are due?'],
    ['Hello. How do I order?', 'Hello. How do I order?'],
    ['Hi !! which relays trip first?', 'Which relays trip first?'],
    ['Good morning\nWhich relays trip first?', 'Which relays trip first?'],
    ['Hindenburg', 'Hindenburg'],
    ['Heyday of the heron', 'Heyday of the heron'],
    [
      'Compare the plans in a table, with what each of them costs a month',
      'Compare the plans in a table, with what each of them costs…',
    ],
    [`${'word '.repeat(20)}`, 'word word word word word word word word word word word word…'],
  ])('turns %j into %j', (text, title) => expect(titleFrom(text)).toBe(title));
});
