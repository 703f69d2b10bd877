import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [part: string]: unknown;
};
export const root = join(import.meta.dirname, '../..');
export const overlays = ['dev', 'prod'] as const;
export type Overlay = (typeof overlays)[number];

export const renderedFile = (overlay: Overlay): string => join(root, 'k8s/rendered', `${overlay}.yaml`);

/** The objects of an overlay as it was rendered last; `npm run accept:k8s` proves that it is fresh. */
export const readRendered = (overlay: Overlay): KubernetesObject[] =>
  parseObjects(readFileSync(renderedFile(overlay), 'utf8'));

/** What kustomize makes of an overlay. */
export function render(kustomize: string, overlay: Overlay): string {
  const run = spawnSync(kustomize, ['build', join(root, 'k8s/overlays', overlay)], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject)
    .filter((object) => object !== null);
}
