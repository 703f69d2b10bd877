import { deployables } from '@parley/contracts';
import { createKeyRing, publicKeysOf, type KeyRing } from '@parley/platform/crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Contents = Readonly<Record<string, string>>;

const contentsOf = (ring: KeyRing): Contents => ({
  ...Object.fromEntries(
    deployables.map((name) => [
      `${name}.json`,
      JSON.stringify({ deployable: name, private: ring.signing[name].private }),
    ]),
  ),
  'public.json': JSON.stringify(publicKeysOf(ring)),
  'sealing.key': ring.sealingKey,
});

const isThere = (folder: string, name: string, content: string): boolean =>
  existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8') === `${content}\n`;

/** Throws when other keys than these are in the folder: services would stop understanding each other. */
export function refuseOtherKeys(folder: string, ring: KeyRing): void {
  const others = Object.entries(contentsOf(ring))
    .filter(([name, content]) => existsSync(join(folder, name)) && !isThere(folder, name, content))
    .map(([name]) => name);
  if (others.length > 0)
    throw new Error(`There are keys in ${folder} already (${others.join(', ')}): choose another folder.`);
}

/**
 * Writes keys, fresh ones or those of an installation that moves, readable by this user only. Throws when others are
 * there.
 */
export async function writeKeys(folder: string, known?: KeyRing): Promise<string[]> {
  const ring = known ?? (await createKeyRing());
  refuseOtherKeys(folder, ring);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const contents = contentsOf(ring);
  for (const [name, content] of Object.entries(contents))
    if (!isThere(folder, name, content)) writeFileSync(join(folder, name), `${content}\n`, { mode: 0o600, flag: 'wx' });
  return Object.keys(contents);
}
