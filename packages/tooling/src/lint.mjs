// Runs oxfmt, oxlint with type information, and the architecture rules. Reports glossary nouns in names of the frontend's
// `lib` and `ui`. Reports timers that look again outside of `every`, words that have to be read twice, and decision
// records without status, date or a section. Reports dead links, long lines and unreadable code of pages. Prints open places
// of pages. Rewrites `docs/reference/house.md` where it differs from the imports.
import { format } from 'dependency-cruiser';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkDocs, checkMentions } from './docs-checks.mjs';
import { codeFolders, cruiseAll, refreshPage } from './house.mjs';
import { checkAdrs } from './adrs.mjs';
import { oldPictures } from './pictures.mjs';
import { checkProductNouns } from './product-nouns.mjs';
import { checkTimers } from './timers.mjs';
import { checkWords } from './words.mjs';

const home = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const bin = (name) => join(home, 'node_modules/.bin', name);
const folders = codeFolders.filter((folder) => existsSync(join(home, folder)));

function report(text) {
  process.stderr.write(text);
  process.exitCode = 1;
}

const runs = [
  [bin('oxfmt'), ['--list-different', '.']],
  [bin('oxlint'), ['--type-aware', '--deny-warnings', ...folders, 'arch.spec.ts']],
];
for (const [command, args] of runs) {
  const run = spawnSync(command, args, { cwd: home, encoding: 'utf8' });
  if (run.status !== 0) report(`${run.stdout}${run.stderr}`);
}
const cruised = await cruiseAll();
const { output, exitCode } = await format(cruised, { outputType: 'err' });
if (exitCode !== 0) report(output);
const { faults, open } = checkDocs(home);
if (open.length > 0) process.stdout.write(`open: ${open.join(', ')}\n`);
const lines = [
  checkProductNouns(home),
  checkTimers(home),
  checkWords(home),
  checkAdrs(home),
  faults,
  checkMentions(home),
];
for (const line of lines.flat()) report(`${line}\n`);
if (refreshPage(cruised.modules)) report('docs/reference/house.md was stale and is rewritten: commit it.\n');
// A picture isn't taken again with each commit: this is said and fails nothing.
const old = oldPictures(home);
if (old !== null) process.stderr.write(`${old}\n`);
