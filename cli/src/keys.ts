import { deployables } from '@parley/contracts';
import { createKeyRing, publicKeysOf, type KeyRing } from '@parley/platform/crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes keys, fresh ones or those of an installation that moves, readable by this user only. Throws when any is there
 * already: services would stop understanding each other.
 */
export async function writeKeys(folder: string, known?: KeyRing): Promise<string[]> {
  const ring = known ?? (await createKeyRing());
  const contents: Record<string, string> = {
    ...Object.fromEntries(
      deployables.map((name) => [
        `${name}.json`,
        JSON.stringify({ deployable: name, private: ring.signing[name].private }),
      ]),
    ),
    'public.json': JSON.stringify(publicKeysOf(ring)),
    'sealing.key': ring.sealingKey,
  };
  const names = Object.keys(contents);
  const there = names.filter((name) => existsSync(join(folder, name)));
  if (there.length > 0)
    throw new Error(`There are keys in ${folder} already (${there.join(', ')}): choose another folder.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of names) writeFileSync(join(folder, name), `${contents[name]}\n`, { mode: 0o600, flag: 'wx' });
  return names;
}
