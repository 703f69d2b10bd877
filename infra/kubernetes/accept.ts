// Renders the overlays and lets a real Kubernetes API server judge them: `npm run accept:k8s`; with `-- --tools` only what
// that needs is built.
import { existsSync, readFileSync } from 'node:fs';
import { startApiServer, type ApiServer } from './api-server.ts';
import { overlays, parseObjects, render, renderedFile, type KubernetesObject } from './objects.ts';
import { findTools } from './tools.ts';

let passed = 0;
const failures: string[] = [];
const judge = (what: string, isRight: boolean, why = ''): void => {
  if (isRight) passed += 1;
  else failures.push(`${what}${why && `: ${why}`}`);
};

/** What the server must refuse: else it judges nothing. */
const mistakes: readonly [string, (deployment: { spec: Record<string, unknown> }) => void][] = [
  ['a misspelt field', ({ spec }) => Object.assign(spec, { replcas: 2 })],
  ['a number as text', ({ spec }) => Object.assign(spec, { replicas: 'two' })],
  [
    'a selector that misses its own pods',
    ({ spec }) => Object.assign(spec, { selector: { matchLabels: { app: 'other' } } }),
  ],
  ['no containers', ({ spec }) => Object.assign((spec['template'] as { spec: object }).spec, { containers: [] })],
];

async function judgeMistakes(server: ApiServer, objects: readonly KubernetesObject[]): Promise<void> {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  for (const [what, make] of mistakes) {
    const wrong = structuredClone(deployment) as KubernetesObject & { spec: Record<string, unknown> };
    make(wrong);
    judge(`the server refuses ${what}`, !(await server.apply(wrong, { dryRun: true })).isAccepted);
  }
}

const tools = findTools();
if ('skipped' in tools) {
  console.log(`skipped: ${tools.skipped}\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}
if (process.argv.includes('--tools')) process.exit(0);
const server = await startApiServer(tools);
try {
  for (const overlay of overlays) {
    const text = render(tools.kustomize, overlay);
    judge(
      `k8s/rendered/${overlay}.yaml is fresh`,
      existsSync(renderedFile(overlay)) && readFileSync(renderedFile(overlay), 'utf8') === text,
      'npm run manifests',
    );
    const objects = parseObjects(text);
    for (const object of objects) {
      // Only the namespace is kept: without it nothing inside can be judged.
      const verdict = await server.apply(object, { dryRun: object.kind !== 'Namespace' });
      judge(`${overlay}: ${object.kind} ${object.metadata.name}`, verdict.isAccepted, verdict.message);
    }
    if (overlay === 'prod') await judgeMistakes(server, objects);
  }
} finally {
  server.close();
}
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
