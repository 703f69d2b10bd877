import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A class that the style sheet lacks is `undefined` in the page, one that nobody names is dead: neither is seen. */
const source = join(import.meta.dirname, 'src');
const read = (file: string): string => readFileSync(file, 'utf8');
const sheets = globSync('**/*.module.css', { cwd: source }).map((file) => join(source, file));
const classesOf = (css: string): Set<string> =>
  new Set(
    [
      ...css
        .replaceAll(/\/\*[^]*?\*\/|:global\([^)]*\)|url\("[^"]*"\)/g, '')
        .matchAll(/\.([A-Za-z][\w-]*)(?=[^{}]*\{)/g),
    ].map(([, name]) => name!),
  );

/** By sheet, the names that the components take from it. */
const taken = new Map<string, Set<string>>(sheets.map((sheet) => [sheet, new Set<string>()]));
for (const file of globSync('**/*.{ts,tsx}', { cwd: source }).map((name) => join(source, name))) {
  const code = read(file);
  const body = code.replaceAll(/^import [^]*?;$/gm, '');
  for (const [, local, path] of code.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
    const names = taken.get(join(dirname(file), path!));
    for (const [, name, quoted] of body.matchAll(
      new RegExp(`(?<!['.\\w])${local}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g'),
    ))
      names?.add((name ?? quoted)!);
  }
}

test.each(sheets.map((sheet) => [sheet.slice(source.length + 1), sheet]))(
  '%s has the classes that the pages name, and no others',
  (_name, sheet) => {
    expect([...classesOf(read(sheet))].toSorted()).toEqual([...taken.get(sheet)!].toSorted());
  },
);
