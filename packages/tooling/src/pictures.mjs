// Says which pictures of the docs are older than the screens they show. `docs/images/pictures.json`, which
// `npm run pictures` writes, holds the folders of each picture and a hash of what was in them then.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const picturesFile = 'docs/images/pictures.json';
const isShown = (file) => /\.(tsx?|css)$/.test(file) && !/\.(test|spec|spec-setup)\.tsx?$/.test(file);

/** A hash over the names and texts of what draws a screen, its tests aside. */
export function hashOfScreen(home, folders) {
  const hash = createHash('sha256');
  for (const folder of folders.toSorted())
    for (const file of globSync(`${folder}/**/*`, { cwd: home }).filter(isShown).toSorted())
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(home, file)))
        .update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Returns one line that names the pictures whose screens have changed since; null where there are none. */
export function oldPictures(home) {
  if (!existsSync(join(home, picturesFile))) return null;
  const pictures = JSON.parse(readFileSync(join(home, picturesFile), 'utf8'));
  const old = Object.entries(pictures)
    .filter(([, { shows, hash }]) => hashOfScreen(home, shows) !== hash)
    .map(([name]) => name);
  if (old.length === 0) return null;
  return `pictures: ${old.join(', ')} ${old.length === 1 ? 'is older than its screen' : 'are older than their screens'} (npm run pictures)`;
}
