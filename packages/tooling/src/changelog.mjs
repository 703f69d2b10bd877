// Moves the fragments of `changes/` into CHANGELOG.md, under the version in package.json: `npm run changelog`. A fragment
// is called `<slug>.<section>.md` and holds bullets, or paragraphs under "Upgrading".
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the order of Keep a Changelog. */
export const sections = ['added', 'changed', 'deprecated', 'removed', 'security', 'fixed', 'upgrading'];
const name = /^[a-z0-9-]+\.([a-z]+)\.md$/;

/** Reads the fragments of a folder, by section and name. Throws on a file that is no fragment. */
export function readFragments(folder) {
  return readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .toSorted()
    .map((file) => {
      const section = name.exec(file)?.[1];
      const text = readFileSync(join(folder, file), 'utf8').trim();
      if (!sections.includes(section))
        throw new Error(`${file}: call it <slug>.<section>.md, of ${sections.join(', ')}.`);
      if (section !== 'upgrading' && !text.split('\n').every((line) => line.startsWith('- ')))
        throw new Error(`${file}: begin each line with "- ".`);
      return { file, section, text };
    });
}

/** Returns the part of the changelog that these fragments make. */
export function released(version, fragments) {
  const parts = sections.flatMap((section) => {
    const texts = fragments.filter((fragment) => fragment.section === section).map(({ text }) => text);
    const title = section.slice(0, 1).toUpperCase() + section.slice(1);
    return texts.length === 0 ? [] : [`### ${title}\n\n${texts.join(section === 'upgrading' ? '\n\n' : '\n')}`];
  });
  return [`## ${version}`, ...parts].join('\n\n');
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../../..');
  const folder = join(root, 'changes');
  const page = join(root, 'CHANGELOG.md');
  const fragments = readFragments(folder);
  if (fragments.length === 0) throw new Error('changes/ has no fragments.');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const text = readFileSync(page, 'utf8');
  const at = text.indexOf('\n## ') + 1;
  writeFileSync(page, `${text.slice(0, at)}${released(version, fragments)}\n\n${text.slice(at)}`);
  for (const { file } of fragments) rmSync(join(folder, file));
}
