import { expectedFailures } from './official/expected-failures.ts';
import type { Verdict } from './official/unified-runner.ts';

/** One line of the summary. */
export type Part = { name: string; passed: number; failed: number; expected: number; skipped: number; detail: string };

type Tally = Part & { unexpected: string[] };

function isFailure(verdict: Verdict): boolean {
  if (verdict.end === 'passed' || verdict.end === 'skipped') return false;
  return verdict.outside === undefined || verdict.end !== 'refused';
}

function tally(name: string, verdicts: Verdict[]): Tally {
  const part: Tally = { name, passed: 0, failed: 0, expected: 0, skipped: 0, detail: '', unexpected: [] };
  let refused = 0;
  for (const verdict of verdicts) {
    if (verdict.end === 'skipped') part.skipped++;
    else if (!isFailure(verdict)) {
      part.passed++;
      if (verdict.end === 'refused') refused++;
    } else if (expectedFailures.some((known) => known.name.test(verdict.name))) part.expected++;
    else {
      part.failed++;
      part.unexpected.push(`${verdict.name}\n    ${verdict.end}: ${verdict.detail}`);
    }
  }
  if (refused > 0) part.detail = `${refused} refused with an error`;
  return part;
}

/** Sums the official cases up, by group and by whether the contract covers them. */
export function summarise(verdicts: Verdict[]): { parts: Part[]; messages: string[] } {
  const groups = [...new Set(verdicts.map((verdict) => verdict.group))];
  const tallies = groups.flatMap((group) => {
    const own = verdicts.filter((verdict) => verdict.group === group);
    return [
      tally(
        `${group}, inside the contract`,
        own.filter((verdict) => verdict.outside === undefined),
      ),
      tally(
        `${group}, outside`,
        own.filter((verdict) => verdict.outside !== undefined),
      ),
    ];
  });
  const stale = verdicts.filter(
    (verdict) => verdict.end === 'passed' && expectedFailures.some((known) => known.name.test(verdict.name)),
  );
  const messages = [
    ...tallies.flatMap((part) => part.unexpected),
    ...stale.map((verdict) => `listed as an expected failure, but passes: ${verdict.name}`),
  ];
  const staleParts: Part[] =
    stale.length === 0
      ? []
      : [{ name: 'expected failures that pass', passed: 0, failed: stale.length, expected: 0, skipped: 0, detail: '' }];
  return { parts: [...tallies, ...staleParts], messages };
}

/** Share of passed cases among those that the contract covers. */
export function insideShare(verdicts: Verdict[]): number {
  const inside = verdicts.filter((verdict) => verdict.outside === undefined && verdict.end !== 'skipped');
  return inside.filter((verdict) => verdict.end === 'passed').length / inside.length;
}

/** Prints the table; returns the sums. */
export function printParts(parts: Part[]): { passed: number; failed: number } {
  const rows = [
    ['part', 'passed', 'failed', 'expected', 'skipped', ''],
    ...parts.map((part) => [part.name, part.passed, part.failed, part.expected, part.skipped, part.detail].map(String)),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 || column === 5 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    );
  return {
    passed: parts.reduce((sum, part) => sum + part.passed, 0),
    failed: parts.reduce((sum, part) => sum + part.failed, 0),
  };
}
