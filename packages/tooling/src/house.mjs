// Writes docs/reference/house.md: how the rooms of the code import each other (`npm run docs:house`). Lint compares it with
// the imports that it has read anyway, and rewrites it where it is stale. What each area measures goes to the terminal:
// on the page it would change with every line of code.
import { cruise } from 'dependency-cruiser';
import readRules from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const page = 'docs/reference/house.md';
const isCode = (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.d.mts');
const byName = (one, other) => (one < other ? -1 : 1);
const isTest = (file) => /\.(spec|test|soak|spec-setup|faults)\.tsx?$/.test(file);
const isOfTests = (file) => isTest(file) || file.includes('/src/testing/');

/** All code that has rules of layout. */
export const codeFolders = [
  'packages',
  'services',
  'bff',
  'embedded',
  'product-tests',
  'cli',
  'frontend/src',
  'e2e',
  'bench',
];

/** The folders whose rooms are counted. */
const houses = [
  'packages',
  'packages/contracts/src',
  'packages/platform/src',
  'packages/embedded-mongo/src',
  'bff/src',
  'services',
  'services/auth/src',
  'services/billing/src',
  'services/chat/src',
  'services/chat/src/answers/generations',
  'services/chat/src/knowledge',
  'services/monitoring/src',
  'services/org/src',
  'frontend/src',
  'frontend/src/domain',
  'frontend/src/features',
  'frontend/src/features/ai-studio',
  'frontend/src/features/billing',
  'frontend/src/features/conversations',
  'frontend/src/features/installation',
  'frontend/src/features/organisation-settings',
  'frontend/src/features/settings',
];

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

/** The room of a file in a folder: what lies directly in the folder; null outside of it. */
const roomOf = (file, folder) =>
  file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).replace(/\/.*$/, '') : null;

/** Maps each place (a room or an area, by `placeOf`) to the other places that it imports. Leaves out tests. */
function importsBy(modules, placeOf) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    const place = placeOf(source);
    if (place === null || isOfTests(source)) continue;
    if (!imports.has(place)) imports.set(place, new Set());
    for (const { resolved } of dependencies) {
      const other = placeOf(resolved);
      if (other !== null && other !== place && !isOfTests(resolved)) imports.get(place).add(other);
    }
  }
  return imports;
}

/** Returns all places that `place` imports, directly or through others; in a circle also `place` itself. */
function reachedFrom(place, imports, found = new Set()) {
  for (const other of imports.get(place) ?? []) {
    if (found.has(other)) continue;
    found.add(other);
    reachedFrom(other, imports, found);
  }
  return found;
}

/** Counts the rooms of a folder, their floors and arrows, and the arrows in circles, from dependency-cruiser's modules. */
export function countRooms(modules, folder) {
  const imports = importsBy(modules, (file) => roomOf(file, folder));
  const reached = new Map([...imports.keys()].map((room) => [room, reachedFrom(room, imports)]));
  const isCircle = (room, other) => reached.get(other)?.has(room) ?? false;
  const floors = new Map();
  const floorOf = (room) => {
    if (!floors.has(room)) {
      const below = [...reached.get(room)].filter((other) => reached.has(other) && !isCircle(room, other));
      floors.set(room, 1 + Math.max(0, ...below.map(floorOf)));
    }
    return floors.get(room);
  };
  const arrows = [...imports].flatMap(([room, others]) => [...others].map((other) => [room, other]));
  return {
    rooms: imports.size,
    floors: Math.max(0, ...[...imports.keys()].map(floorOf)),
    arrows: arrows.length,
    inCircles: arrows.filter(([room, other]) => isCircle(room, other)).length,
  };
}

/** Returns the page that dependency-cruiser's modules make. */
export function pageOf(modules) {
  const rooms = houses.map((folder) => {
    const { rooms: count, floors, arrows, inCircles } = countRooms(modules, folder);
    return `| \`${folder}\` | ${count} | ${floors} | ${arrows} | ${inCircles} |`;
  });
  const areas = [...importsBy(modules, areaOf)]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([area, others]) => `| ${area} | ${[...others].toSorted(byName).join(', ') || '–'} |`);
  return [
    '# The house in figures',
    '',
    'Written by `npm run docs:house` from what dependency-cruiser finds; `npm run lint` holds the code against it. Nobody edits',
    'it by hand.',
    '',
    '- A **room** is what lies directly in a folder: a folder with all below it, or a file. Tests and their helpers are left out.',
    '- An **arrow** goes from one room to another that it imports, types too, however often.',
    '- A **floor**: rooms that import no other one are on the first; any other room is one floor above the highest that it',
    '  imports. Rooms that import each other in a circle share a floor; the arrows between them are *in circles*.',
    '',
    '| folder | rooms | floors | arrows | in circles |',
    '|---|---|---|---|---|',
    ...rooms,
    '',
    '## Which area imports which',
    '',
    '| area | imports |',
    '|---|---|',
    ...areas,
    '',
  ].join('\n');
}

/** Writes the page where it is not what the modules make; returns whether it was stale. */
export function refreshPage(modules, root = home) {
  const file = join(root, page);
  const text = pageOf(modules);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeFileSync(file, text);
  return true;
}

/** Reads all imports, and holds them against the architecture rules. */
export async function cruiseAll() {
  const rules = await readRules(join(home, '.dependency-cruiser.mjs'));
  const folders = codeFolders.filter((folder) => existsSync(join(home, folder)));
  return (await cruise(folders, { ...rules, baseDir: home })).output;
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

/** Measures each area: source files, their lines and lengths, and lines of tests and comments in % of source lines. */
function measured(files) {
  const linesOf = (text) => text.split('\n').length - 1;
  const textOf = (file) => readFileSync(join(home, file), 'utf8');
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const areas = Map.groupBy(
    files.filter((file) => isCode(file) && areaOf(file)),
    areaOf,
  );
  return [...areas]
    .toSorted(([one], [other]) => byName(one, other))
    .map(([area, all]) => {
      const texts = all.filter((file) => !isTest(file)).map(textOf);
      const lengths = texts.map(linesOf).toSorted((one, other) => one - other);
      const lines = sum(lengths);
      const percentOf = (count) => (lines === 0 ? null : Math.round((100 * count) / lines));
      return {
        area,
        files: texts.length,
        lines,
        'median / p90 / longest': [50, 90, 100].map((percent) => percentile(lengths, percent)).join(' / '),
        'tests %': percentOf(sum(all.filter(isTest).map((file) => linesOf(textOf(file))))),
        'comments %': percentOf(sum(texts.map(commentLines))),
      };
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  refreshPage((await cruiseAll()).modules);
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: home, encoding: 'utf8', maxBuffer: 256e6 });
  console.table(measured(stdout.split('\n')));
}
