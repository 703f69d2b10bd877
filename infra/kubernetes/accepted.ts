import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlays, renderedFile, root } from './objects.ts';
import { kubernetes } from './tools.ts';

/** What a real API server has accepted last, relative to the root. */
export const acceptedFile = 'k8s/rendered/accepted.json';
const path = join(root, acceptedFile);

/** Of all that the judgement follows from: the manifests, the version that judges them, and how it is asked. */
function digest(): string {
  const sources = ['accept.ts', 'api-server.ts', 'objects.ts'].map((name) => join(import.meta.dirname, name));
  const hash = createHash('sha256').update(kubernetes);
  for (const file of [...overlays.map(renderedFile), ...sources]) hash.update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** Whether it has accepted exactly these manifests, asked in the same way (ADR 0043). */
export const isAcceptedBefore = (): boolean =>
  existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as { sha256: string }).sha256 === digest();

export const noteAccepted = (): void =>
  writeFileSync(path, `{ "kubernetes": "${kubernetes}", "sha256": "${digest()}" }\n`);
