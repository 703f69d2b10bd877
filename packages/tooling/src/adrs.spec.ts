import { describe, expect, test } from '@jest/globals';
import { faultsOfIndex, faultsOfRecord } from './adrs.mjs';

const name = '0007-use-a-heartbeat.md';
const record = (more: (text: string) => string = (text) => text) =>
  more(
    [
      '# 0007 Use a heartbeat\n\n- **Status:** Accepted.\n- **Date:** 2026-11-30\n',
      ...['Context', 'Decision', 'Alternatives', 'Consequences'].map((title) => `## ${title}\n\nWords.\n`),
    ].join('\n'),
  );

describe('the form of a decision record', () => {
  test('is complete with status, date and four sections', () => {
    expect(faultsOfRecord(name, record())).toEqual([]);
  });

  test.each([
    ['a date', (text: string) => text.replace('2026-11-30', 'today'), ['has no date']],
    ['a status', (text: string) => text.replace('Accepted', 'Perhaps'), ['has no status']],
    ['its number', (text: string) => text.replace('0007', '0008'), ['has no title “# 0007 …”']],
    [
      'a section',
      (text: string) => text.replace('## Alternatives\n\nWords.\n\n', ''),
      ["doesn't have Context, Decision, Alternatives, Consequences"],
    ],
    [
      'words in a section',
      (text: string) => text.replace('## Alternatives\n\nWords.', '## Alternatives\n'),
      ['says nothing under Alternatives'],
    ],
  ])('needs %s', (_what, change, faults) => {
    expect(faultsOfRecord(name, record(change))).toEqual(faults);
  });

  test('needs a name with its number', () => {
    expect(faultsOfRecord('7.md', record().replace('0007', '7.md'))).toEqual(['is not named NNNN-the-decision.md']);
  });
});

describe('the index of decision records', () => {
  const names = ['0001-a.md', '0003-c.md'];
  const lines = names.map((each) => `| [${each.slice(0, 4)}](${each}) | Words. | |`);

  test('lists each record once and explains the missing numbers', () => {
    expect(faultsOfIndex([...lines, '## Missing numbers', '| 0002 | not needed |'].join('\n'), names)).toEqual([]);
  });

  test('reports a record that it lacks', () => {
    const index = [lines[0], '## Missing numbers', '| 0002 | not needed |'].join('\n');
    expect(faultsOfIndex(index, names)).toEqual(['lists 0003-c.md 0 times']);
  });

  test('reports a number without record and explanation', () => {
    expect(faultsOfIndex(lines.join('\n'), names)).toEqual(["doesn't say where 0002 is"]);
  });

  test('reports an explanation of a number that is there', () => {
    const index = [...lines, '## Missing numbers', '| 0002, 0003 | not needed |'].join('\n');
    expect(faultsOfIndex(index, names)).toEqual(["doesn't say where 0003 is"]);
  });
});
