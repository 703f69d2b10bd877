import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gauges } from '@parley/platform/telemetry';
import { variablesTable } from './variables-table.spec-setup.ts';

const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

test('the handbook lists every variable of every deployable as the code reads it', () => {
  // Differs? Put what was expected between the two marks.
  expect(/<!-- variables -->\n\n([^]*?)\n<!-- end of variables -->/.exec(operations)?.[1]).toBe(variablesTable());
});

test('the handbook names every gauge', () => {
  for (const name of Object.keys(gauges)) expect(operations).toContain(`\`${name}\``);
});
