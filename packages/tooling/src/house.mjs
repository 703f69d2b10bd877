// Writes docs/reference/house.md: what each area of the code measures, and how many files each slice touched
// (`npm run docs:house`). A commit of a slice says so in a trailer: `Slice: prompts`.
import { cruise } from 'dependency-cruiser';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import config from '../../../.dependency-cruiser.mjs';

const home = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const isCode = (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.mts');
const byName = (one, other) => (one < other ? -1 : 1);
const isTest = (file) => /\.(spec|test|soak|spec-setup|faults)\.tsx?$/.test(file);

/** The area of a file: a package, a service, an area of chat, a layer of the frontend; null outside of them. */
export function areaOf(file) {
  const chat = /^services\/chat\/src\/([^/]+)\//.exec(file);
  if (chat) return `chat/${chat[1]}`;
  const known =
    /^(?:(packages|services)\/([^/]+)|frontend\/src\/([^/]+)|(bff|embedded|cli|e2e|bench|product-tests))\//.exec(file);
  if (!known) return null;
  const [, , inner, layer, top] = known;
  return inner ?? (layer ? `frontend/${layer}` : top);
}

/** The package from npm that an import names; null of own files, of Node and of other packages of this repository. */
export function packageOf(specifier) {
  if (/^[./]|^node:|^@parley\//.test(specifier)) return null;
  return /^(@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[1] ?? null;
}

/** Lines of a text that are comment and nothing else. */
export function commentLines(text) {
  let isOpen = false;
  return text.split('\n').filter((line) => {
    const bare = line.trim();
    const isComment = isOpen || bare.startsWith('//') || bare.startsWith('/*');
    if (bare.startsWith('/*')) isOpen = true;
    if (bare.includes('*/')) isOpen = false;
    return isComment;
  }).length;
}

/** Of sorted lengths the one below which so many per cent lie. */
export const percentile = (sorted, percent) =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;

/**
 * How many files each slice made and touched, from `git log --reverse --name-status` with a record `\0<slice>` for each
 * commit. A file that the slice made counts as made however often the slice touches it later.
 */
export function countSlices(log) {
  const slices = new Map();
  for (const commit of log.split('\0').slice(1)) {
    const [name, ...lines] = commit.split('\n');
    const slice = slices.get(name.trim()) ?? { made: new Set(), touched: new Set() };
    for (const line of lines.filter((one) => one.includes('\t'))) {
      const [status, ...paths] = line.split('\t');
      const path = paths.at(-1);
      if (status === 'A') slice.made.add(path);
      else if (!slice.made.has(path)) slice.touched.add(path);
    }
    slices.set(name.trim(), slice);
  }
  return new Map([...slices].map(([name, { made, touched }]) => [name, { made: made.size, touched: touched.size }]));
}

/** Slices whose commits have no trailer, counted by hand; `made` is null where only all files were counted. */
const countedByHand = [
  {
    name: 'titles of chats written by a model',
    made: 18,
    together: 56,
    where:
      'services/chat 18 (10 of them new, in answers/titles), billing 6, monitoring 3, packages/contracts 7, packages/testing 1, frontend 5, product-tests 5, e2e 6, bench 2, docs and changes 3',
  },
  { name: 'counts in the sidebar', made: null, together: 19, where: '–' },
];

const git = (...args) => spawnSync('git', args, { cwd: home, encoding: 'utf8', maxBuffer: 256e6 }).stdout;

/** Imports between areas, packages from npm, and circles (types too), by area. */
async function cruised(folders) {
  const { output } = await cruise(folders, {
    ...config.options,
    // Packages are counted, not followed.
    exclude: { path: '(^|/)(dist|dist-node)/' },
    ruleSet: { forbidden: [{ name: 'circle', severity: 'warn', from: {}, to: { circular: true } }] },
    validate: true,
  });
  const found = new Map();
  const of = (area) => {
    if (!found.has(area)) found.set(area, { areas: new Set(), packages: new Set(), circles: new Set() });
    return found.get(area);
  };
  for (const { source, dependencies } of output.modules) {
    const area = areaOf(source);
    if (!area || isTest(source)) continue;
    for (const { resolved, module, coreModule } of dependencies) {
      const other = areaOf(resolved);
      if (other && other !== area) of(area).areas.add(other);
      const name = coreModule ? null : packageOf(module);
      if (name) of(area).packages.add(name);
    }
  }
  for (const { from, cycle = [] } of output.summary.violations) {
    const files = [from, ...cycle.map(({ name }) => name)];
    if (areaOf(from)) of(areaOf(from)).circles.add([...new Set(files)].toSorted(byName).join());
  }
  return found;
}

function measured(files) {
  const areas = Map.groupBy(
    files.filter((file) => isCode(file) && areaOf(file)),
    areaOf,
  );
  return [...areas]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([area, all]) => {
      const texts = all.filter((file) => !isTest(file)).map((file) => readFileSync(join(home, file), 'utf8'));
      const lengths = texts.map((text) => text.split('\n').length - 1).toSorted((one, other) => one - other);
      const lines = lengths.reduce((sum, length) => sum + length, 0);
      const tests = all
        .filter(isTest)
        .reduce((sum, file) => sum + readFileSync(join(home, file), 'utf8').split('\n').length - 1, 0);
      return {
        area,
        count: texts.length,
        lines,
        lengths,
        tests,
        comments: texts.reduce((sum, text) => sum + commentLines(text), 0),
      };
    });
}

function pageOf(areas, edges, slices) {
  const none = { areas: new Set(), packages: new Set(), circles: new Set() };
  const rows = areas.map(({ area, count, lines, lengths, tests, comments }) => {
    const { areas: others, packages, circles } = edges.get(area) ?? none;
    const sizes = [50, 90, 100].map((percent) => percentile(lengths, percent)).join(' / ');
    const shares =
      lines === 0 ? ['–', '–'] : [(tests / lines).toFixed(2), `${((100 * comments) / lines).toFixed(1)} %`];
    return `| ${area} | ${count} | ${lines} | ${sizes} | ${shares.join(' | ')} | ${circles.size} | ${[...others].toSorted(byName).join(', ') || '–'} | ${packages.size} |`;
  });
  const counted = [...slices].map(
    ([name, { made, touched }]) => `| ${name} | ${made} | ${touched} | ${made + touched} |`,
  );
  return [
    '# The house in figures',
    '',
    `Written by \`npm run docs:house\` at ${git('rev-parse', '--short=8', 'HEAD').trim()}. Nobody edits it by hand.`,
    '',
    'Lines of source without tests; tests are their lines for each line of source, comments the share of lines that are',
    'nothing else. Circles count imports of types, too. Packages are those from npm.',
    '',
    '| area | files | lines | median / p90 / longest | tests | comments | circles | imports | packages |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Slices',
    '',
    'How many files each slice made and touched, counted from git: a commit of a slice has the trailer `Slice: <name>`.',
    '',
    ...(counted.length > 0
      ? ['| slice | made | touched | together |', '|---|---|---|---|', ...counted]
      : ['None has a trailer yet.']),
    '',
    'Counted by hand, since their commits have none:',
    '',
    '| slice | made | touched | together | where |',
    '|---|---|---|---|---|',
    ...countedByHand.map(
      ({ name, made, together, where }) =>
        `| ${name} | ${made ?? '–'} | ${made === null ? '–' : together - made} | ${together} | ${where} |`,
    ),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = git('ls-files').split('\n');
  const areas = measured(files);
  const folders = ['packages', 'services', 'bff', 'embedded', 'cli', 'frontend/src', 'e2e', 'bench', 'product-tests'];
  process.chdir(home);
  const log = git(
    'log',
    '--reverse',
    '--no-merges',
    '--grep=^Slice: ',
    '--format=%x00%(trailers:key=Slice,valueonly,separator=%x20)',
    '--name-status',
  );
  mkdirSync(join(home, 'docs/reference'), { recursive: true });
  writeFileSync(join(home, 'docs/reference/house.md'), pageOf(areas, await cruised(folders), countSlices(log)));
}
