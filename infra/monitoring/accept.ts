// `npm run accept:monitoring`: promtool, of Prometheus, judges the names of our metrics and the alerts, and tries each alert.
import { spawnSync } from 'node:child_process';
import { allMetrics } from './metrics.ts';

const promtool = (args: readonly string[], input = '') =>
  spawnSync('promtool', args, { cwd: import.meta.dirname, encoding: 'utf8', input });

if (promtool(['--version']).error) {
  console.log(
    'skipped: promtool is not here; it comes with the package `prometheus` of Debian\n0 passed, 0 failed, 1 skipped',
  );
  process.exit(0);
}
const metrics = await allMetrics();
const checks = [
  ['the names of the metrics', promtool(['check', 'metrics'], metrics)],
  // A judge that finds nothing wrong with anything would be none.
  [
    'promtool refuses a wrong name',
    refused(promtool(['check', 'metrics'], metrics.replaceAll('_seconds', '_milliseconds'))),
  ],
  ['the alerts', promtool(['check', 'rules', 'alerts.yaml'])],
  ['each alert, when it must be silent and when not', promtool(['test', 'rules', 'alerts.test.yaml'])],
] as const;
for (const [what, { status, stdout, stderr }] of checks)
  console.log(status === 0 ? `ok ${what}` : `FAILED ${what}\n${stdout}${stderr}`);
const failed = checks.filter(([, { status }]) => status !== 0).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function refused<Run extends { readonly status: number | null }>(run: Run): Run {
  return { ...run, status: run.status === 0 ? 1 : 0 };
}
