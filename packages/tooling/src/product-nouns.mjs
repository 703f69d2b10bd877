// Finds nouns of the product in names of the frontend's `lib` and `ui`: what knows one belongs into `domain/<noun>`, or
// into its feature (ADR 0049). The nouns are those of `docs/reference/glossary.md`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Glossary nouns that are also programming terms, with their meaning there: allowed in every name. */
export const technicalNouns = {
  event: 'of the browser or of a socket',
  file: 'of the disk',
  path: 'of an address',
  provider: 'the component of a React context',
  run: 'the verb',
};

/** Files that can use glossary nouns in their names and exports: which nouns, and why. */
export const keptNouns = [
  { file: 'lib/messages.ts', nouns: ['message'], why: 'react-intl calls texts messages' },
  { file: 'lib/problem-messages.ts', nouns: ['message'], why: 'react-intl calls texts messages' },
  { file: 'lib/billing-problem-messages.ts', nouns: ['message'], why: 'react-intl calls texts messages' },
  { file: 'lib/chat-problem-messages.ts', nouns: ['message'], why: 'react-intl calls texts messages' },
  {
    file: 'lib/tab-organisation.tsx',
    nouns: ['organisation'],
    why: 'each request names the organisation of its tab: lists, tabs and forms of lib and ui ask for it',
  },
  { file: 'lib/query-keys.ts', nouns: ['resource'], why: 'lists of lib are found by the resource that events name' },
  { file: 'lib/error-reports.ts', nouns: ['report'], why: 'failures are reported before any feature is loaded' },
  { file: 'lib/failure.ts', nouns: ['digest'], why: 'failures are reported before any feature is loaded' },
  { file: 'ui/failure-view.tsx', nouns: ['permission'], why: 'one of the states that each view has: refused by a 403' },
  { file: 'ui/csv-export.tsx', nouns: ['export'], why: 'saves the lines of a table, not what a person has' },
  { file: 'ui/theme-roles.ts', nouns: ['role'], why: 'what a colour is for' },
];

const singular = (word) =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=ch|ss|x)es$|(?<!s)s$/, '');

/** The words of a name in kebab-case or camelCase, in the singular. */
const wordsOf = (name) =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => singular(word.toLowerCase()));

/** Returns the nouns of a glossary: what its first column names, without what it says in brackets. */
export function nounsOf(glossary) {
  const cells = [...glossary.matchAll(/^\|([^|]+)\|/gm)].slice(2).map(([, cell]) => cell.replaceAll(/\(.*?\)/g, ''));
  return [...new Set(cells.flatMap((cell) => cell.split(',')).map((noun) => wordsOf(noun).join(' ')))].filter(Boolean);
}

/** Returns the nouns in a name. Finds a noun of several words only if they are next to each other, in this order. */
export function nounsIn(name, nouns) {
  const words = ` ${wordsOf(name).join(' ')} `;
  return nouns.filter((noun) => words.includes(` ${noun} `));
}

/** Returns the names of a file's folders, of the file and of its exports, without file extensions. */
export function namesOf(file, text) {
  const declared = /^export (?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;
  const lists = [...text.matchAll(/^export (?:const |type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list.split(','));
  return [
    ...file.split('/').slice(1),
    ...[...text.matchAll(declared)].map(([, name]) => name),
    ...lists
      .map((entry) =>
        entry
          .trim()
          .split(/ as |: /)
          .at(-1),
      )
      .filter(Boolean),
  ].map((name) => name.replace(/\..*$/, ''));
}

/**
 * Returns one line for each glossary noun in a name, and one for each exception that no name needs. `files` are pairs
 * of a path below `frontend/src` and the file's text.
 */
export function findProductNouns(files, { nouns, technical = technicalNouns, kept = keptNouns }) {
  const found = [];
  const excused = new Set();
  for (const [file, text] of files) {
    const exception = kept.find((entry) => entry.file === file);
    for (const name of namesOf(file, text)) {
      for (const noun of nounsIn(name, nouns)) {
        if (noun in technical) excused.add(noun);
        else if (exception?.nouns.includes(noun)) excused.add(`${file}: ${noun}`);
        else
          found.push(`${file}: ${name} names "${noun}", a noun of the glossary: it belongs into domain or its feature`);
      }
    }
  }
  const excuses = [
    ...Object.keys(technical),
    ...kept.flatMap(({ file, nouns: own }) => own.map((noun) => `${file}: ${noun}`)),
  ];
  return [...found, ...excuses.filter((one) => !excused.has(one)).map((one) => `${one}: an exception without a use`)];
}

/** Returns what is wrong in the frontend below a folder: nothing where no name knows a noun. */
export function checkProductNouns(home) {
  const source = join(home, 'frontend/src');
  const read = (file) => readFileSync(file, 'utf8');
  const files = globSync('{lib,ui}/**/*.{ts,tsx,css}', { cwd: source })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .toSorted()
    .map((file) => [file, /\.tsx?$/.test(file) ? read(join(source, file)) : '']);
  return findProductNouns(files, { nouns: nounsOf(read(join(home, 'docs/reference/glossary.md'))) });
}
