import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gauges } from '@parley/platform/telemetry';
import { settingsTables } from './variables-table.spec-setup.ts';

const reference = (page: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs/reference', page), 'utf8');

test('the page of settings has every setting and flag as the code reads it; otherwise run npm run docs:reference', () => {
  for (const { kept, made } of settingsTables()) expect(kept).toBe(made);
});

test('the page of metrics names every gauge', () => {
  const page = reference('probes-and-metrics.md');
  for (const name of Object.keys(gauges)) expect(page).toContain(`\`${name}\``);
});
