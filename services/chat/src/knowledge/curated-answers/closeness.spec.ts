import { expect, test } from '@jest/globals';
import { tokenise } from '@parley/platform/text';
import { closeEnough, closeness } from './closeness.ts';

const among = (questions: readonly string[]) => ({
  all: questions.length,
  matching: new Map(
    [...new Set(questions.flatMap((question) => tokenise(question)))].map((term) => [
      term,
      questions.filter((question) => tokenise(question).includes(term)).length,
    ]),
  ),
});
const known = among([
  'How much is the night allowance for on-call travel?',
  'Wie viele Urlaubstage habe ich im Jahr?',
  'كم عدد أيام الإجازة السنوية؟',
  '年次有給休暇は何日ですか',
]);

test.each([
  ['How much is the night allowance for on-call travel?', 'how much is the NIGHT ALLOWANCE for on call travel'],
  ['How much is the night allowance for on-call travel?', 'What is the night allowance for on-call travel?'],
  ['How much is the night allowance for on-call travel?', 'How much is the night allowance for travel on call, then?'],
  ['Wie viele Urlaubstage habe ich im Jahr?', 'Wie viele Urlaubstage hat man im Jahr?'],
  ['كم عدد أيام الإجازة السنوية؟', 'ما عدد أيام الإجازة السنوية'],
  ['年次有給休暇は何日ですか', '年次有給休暇は何日'],
])('%s is asked for by: %s', (question, other) => {
  expect(closeness(other, question, known)).toBeGreaterThanOrEqual(closeEnough);
  expect(closeness(question, other, known)).toBeCloseTo(closeness(other, question, known));
});

test.each([
  ['How much is the night allowance for on-call travel?', 'How much is the parking fee for travel?'],
  ['How much is the night allowance for on-call travel?', 'Is there a day allowance for on-call travel?'],
  ['How much is the night allowance for on-call travel?', 'Who gets a night allowance?'],
  ['How much is rule 5 of the travel policy?', 'How much is rule 6 of the travel policy?'],
  ['Wie viele Urlaubstage habe ich im Jahr?', 'Wie viele Überstunden habe ich im Jahr?'],
  ['كم عدد أيام الإجازة السنوية؟', 'كم عدد أيام الإجازة المرضية؟'],
  ['年次有給休暇は何日ですか', '駐車場は何時までですか'],
  ['How much is the night allowance?', ''],
])('%s is not asked for by: %s', (question, other) => {
  expect(closeness(other, question, known)).toBeLessThan(closeEnough);
});

test('a word that many questions have tells less', () => {
  const questions = Array.from({ length: 300 }, (_, at) => `What does contract ${at} say of liability?`);
  const ask = (all: readonly string[]) =>
    closeness('What does contract 7 say of notice?', 'What does contract 7 say of liability?', among(all));
  expect(ask(questions)).toBeLessThan(ask([questions[7]!]));
});
