// Writes what follows from the code into the manifests, and what each overlay makes of them: `npm run manifests`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { networkEdges } from './edges.ts';
import { overlays, render, renderedFile, root } from './objects.ts';
import { findKustomize } from './tools.ts';

const note = '# Who may call whom: `npm run manifests` makes this from what the code calls.\n';
const policies = networkEdges().map((policy) => stringify(policy, { aliasDuplicateObjects: false }));
writeFileSync(join(root, 'k8s/base/network/edges.yaml'), note + policies.join('---\n'));

const kustomize = findKustomize();
if ('skipped' in kustomize) throw new Error(kustomize.skipped);
for (const overlay of overlays) writeFileSync(renderedFile(overlay), render(kustomize.file, overlay));
