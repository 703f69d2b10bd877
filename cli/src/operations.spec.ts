import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gauges } from '@parley/platform/telemetry';
import { variablesTable } from './variables-table.spec-setup.ts';

const reference = (page: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs/reference', page), 'utf8');

test('the page of settings lists every variable of every deployable as the code reads it', () => {
  // Differs? Put what was expected between the two marks.
  const listed = /<!-- variables -->\n\n([^]*?)\n<!-- end of variables -->/.exec(reference('settings.md'))?.[1];
  expect(listed).toBe(variablesTable());
});

test('the page of metrics names every gauge', () => {
  const page = reference('probes-and-metrics.md');
  for (const name of Object.keys(gauges)) expect(page).toContain(`\`${name}\``);
});
