import { expect, test } from '@jest/globals';
import { lateTexts, pages, signedInPages, textPartsOf } from '@parley/contracts/pages';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const source = join(import.meta.dirname, 'src');
/** Parts of the texts that only some pages load. */
const parts = new Set<string>([...lateTexts, ...pages.map(({ texts }) => texts)]);
const imported = /(?:from|import\()\s*'(\.[^']+\.tsx?)'/g;
const id = /\bid: '([a-zA-Z]+)\./g;
const loadsLate = /<LateTexts part="([a-zA-Z]+)"/g;

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!);

/** What a page's component and all that it imports, late parts too, are made of. */
function filesOf(first: string, files = new Map<string, string>()): ReadonlyMap<string, string> {
  if (files.has(first) || !existsSync(first)) return files;
  const text = readFileSync(first, 'utf8');
  files.set(first, text);
  for (const path of all(text, imported)) filesOf(join(dirname(first), path), files);
  return files;
}

test.each(signedInPages.map((page) => [page.path, page] as const))(
  'what stands on %s is in the texts that it loads',
  (_path, page) => {
    const files = filesOf(join(source, 'features', page.feature, `${page.feature}-page.tsx`));
    expect(files.size).toBeGreaterThan(1);
    // The shell loads the texts of problems for all pages.
    const loaded = new Set<string>([...textPartsOf(page), 'problem']);
    for (const text of files.values()) for (const part of all(text, loadsLate)) loaded.add(part);
    const missing = [...files].flatMap(([file, text]) =>
      all(text, id)
        .filter((part) => parts.has(part) && !loaded.has(part))
        .map((part) => `${relative(source, file)}: ${part}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  },
);
