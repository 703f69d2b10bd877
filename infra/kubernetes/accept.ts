// Renders the overlays and lets a real Kubernetes API server judge them: `npm run accept:k8s`.
import { existsSync, readFileSync } from 'node:fs';
import { startApiServer, type ApiServer } from './api-server.ts';
import { overlays, readRendered, render, renderedFile, type KubernetesObject } from './objects.ts';
import { findKustomize, findTools } from './tools.ts';

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

async function judgeObjects(server: ApiServer): Promise<void> {
  for (const overlay of overlays) {
    const objects = readRendered(overlay);
    for (const object of objects) {
      // Only the namespace is kept: without it nothing inside can be judged.
      const verdict = await server.apply(object, { dryRun: object.kind !== 'Namespace' });
      judge(`${overlay}: ${object.kind} ${object.metadata.name}`, verdict.isAccepted, verdict.message);
    }
    if (overlay === 'prod') await judgeMistakes(server, objects);
  }
}

function end(): never {
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exit(failures.length === 0 ? 0 : 1);
}

function skip(reason: string): never {
  console.log(`skipped: ${reason}\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}

const kustomize = findKustomize();
if ('skipped' in kustomize) skip(kustomize.skipped);
for (const overlay of overlays) {
  const isThere = existsSync(renderedFile(overlay));
  const isFresh = isThere && readFileSync(renderedFile(overlay), 'utf8') === render(kustomize.file, overlay);
  judge(`k8s/rendered/${overlay}.yaml is fresh`, isFresh, 'npm run manifests');
}
if (failures.length > 0) end();

const tools = findTools();
if ('skipped' in tools) skip(tools.skipped);
const server = await startApiServer(tools);
await judgeObjects(server).finally(() => server.close());
end();
