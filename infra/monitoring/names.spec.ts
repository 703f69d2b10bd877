import { expect, test } from '@jest/globals';
import { counters, gauges } from '@parley/platform/telemetry';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { allMetrics } from './metrics.ts';

type Rules = { groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[] };
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] };
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const { rules } = (parse(read('alerts.yaml')) as Rules).groups[0]!;
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard;
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];
/** Every name that a query uses: `up` is Prometheus' own. */
const namesIn = (expr: string): string[] =>
  [...expr.replaceAll(/"[^"]*"/g, '').matchAll(/\b(?:up|[a-z]+_[a-z0-9_]+)\b(?=[{[)\s]|$)/g)]
    .map(([name]) => name)
    .filter((name) => !['histogram_quantile', 'min_over_time', '__rate_interval'].includes(name));
const series = new Set(
  (await allMetrics())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => /^[a-zA-Z_:0-9]+/.exec(line)![0]),
);

test.each(expressions)('%s asks for what processes tell', (_where, expr) => {
  const names = namesIn(expr);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => name !== 'up' && !series.has(name))).toEqual([]);
});

test('every gauge and counter is in the dashboard', () => {
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
  const hidden = [...Object.keys(gauges), ...Object.keys(counters)].filter((name) => !shown.has(name));
  // Its number says it all.
  expect(hidden).toEqual(['parley_outbox_oldest_age_seconds']);
});

test('every alert says what is wrong and what to do, and is tried', () => {
  const tests = read('alerts.test.yaml');
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, annotations } of rules) {
    expect(Object.keys(annotations)).toEqual(['summary', 'action']);
    expect(tests).toContain(`alertname: ${alert}\n`);
  }
});

test('the adapter serves what autoscalers ask for', () => {
  type Scaler = { spec: { metrics: { pods?: Asked; external?: Asked }[] } };
  type Asked = { metric: { name: string } };
  const scalers = parseAllDocuments(readFileSync(join(import.meta.dirname, '../../k8s/rendered/prod.yaml'), 'utf8'))
    .map((document) => document.toJS() as { kind: string } & Scaler)
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  const asked = scalers.flatMap(({ spec }) =>
    spec.metrics.flatMap(({ pods, external }) => (pods ?? external)?.metric.name ?? []),
  );
  const served = read('adapter.yaml');
  expect(asked.toSorted()).toEqual(['parley_generation_active', 'parley_generation_queued', 'parley_socket_open']);
  for (const name of asked) {
    expect(series).toContain(name);
    expect(served).toMatch(new RegExp(`parley_\\([^)]*${name.slice('parley_'.length)}|"${name}"`));
  }
});

test('no two panels have one number', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
