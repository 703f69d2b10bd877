import { expect, jest, test } from '@jest/globals';
import { late } from './late.ts';

test('a missed time is one line that `.ci/steps` finds, and one that was kept is none', () => {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  late('a call', { took: 30_000, most: 30_000 });
  late('a call', { took: 30_000.6, most: 30_000 });
  late('two idle processes', { took: 15, most: 14, unit: 'lines' });
  const lines = written.mock.calls.map(([text]) => text);
  written.mockRestore();
  expect(lines).toEqual([
    '\nLATE    a call: 30001 ms, at most 30000 are wanted\n',
    '\nLATE    two idle processes: 15 lines, at most 14 are wanted\n',
  ]);
});
