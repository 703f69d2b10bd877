import { expect, test } from '@jest/globals';
import { defineProblems, isProblemCode, isReportable, Problem, type ProblemCode } from './problem.ts';

const [gone, broken] = ['notes.gone', 'notes.broken'] as unknown as readonly [ProblemCode, ProblemCode];
defineProblems({
  [gone]: { status: 410, title: 'The note is gone' },
  [broken]: { status: 500, title: 'The note is broken', reportable: true },
});

test('a problem has status and title of its code, and its own detail if given', () => {
  const details = new Problem(gone, { detail: 'Ines deleted it.' }).toDetails({ traceId: 't' });
  const type = 'urn:parley:problem:notes.gone';
  expect(details).toEqual({
    type,
    title: 'The note is gone',
    status: 410,
    code: gone,
    detail: 'Ines deleted it.',
    traceId: 't',
  });
  expect([new Problem(gone).message, new Problem(gone, { detail: 'Late.' }).message]).toEqual([
    'The note is gone',
    'Late.',
  ]);
});

test('reports only problems declared as reportable to the operator', () => {
  expect([isReportable(gone), isReportable(broken)]).toEqual([false, true]);
});

test('turns an undeclared code into a 500 with the code as title', () => {
  const unknown = 'notes.other' as ProblemCode;
  expect([isProblemCode(gone), isProblemCode(unknown)]).toEqual([true, false]);
  expect(new Problem(unknown).toDetails()).toMatchObject({ status: 500, title: 'notes.other' });
});
