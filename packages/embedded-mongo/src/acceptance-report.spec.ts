import { describe, expect, test } from '@jest/globals';
import { insideShare, summarise } from '../acceptance/report.ts';
import type { Verdict } from '../acceptance/official/unified-runner.ts';

const verdict = (end: Verdict['end'], outside?: string, name = 'a.json: case'): Verdict => ({
  name,
  group: 'crud',
  outside,
  end,
  detail: 'why',
});
const failures = (...verdicts: Verdict[]): number =>
  summarise(verdicts).parts.reduce((sum, part) => sum + part.failed, 0);
const known = 'crud/unified/unacknowledged-updateOne-hint-clientError.json: case';

describe('the verdict over the official cases', () => {
  test.each<[string, Verdict, number]>([
    ['a case of the contract that passes is fine', verdict('passed'), 0],
    ['a case of the contract that is refused fails the run', verdict('refused'), 1],
    ['a case of the contract with a wrong answer fails the run', verdict('wrong'), 1],
    ['a case of the contract that was not run fails the run', verdict('not-run'), 1],
    ['a case outside that is refused is fine', verdict('refused', 'collation'), 0],
    ['a case outside with a wrong answer fails the run', verdict('wrong', 'collation'), 1],
    ['a listed failure is fine', verdict('wrong', 'hint', known), 0],
    ['a listed failure that passes fails the run', verdict('passed', 'hint', known), 1],
    ['a skipped case is fine', verdict('skipped'), 0],
  ])('%s', (_name, one, failed) => {
    expect(failures(one)).toBe(failed);
  });

  test('the share counts cases of the contract that ran', () => {
    expect(insideShare([verdict('passed'), verdict('refused'), verdict('skipped'), verdict('refused', 'hint')])).toBe(
      0.5,
    );
  });
});
