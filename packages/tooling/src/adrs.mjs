// Checks the form of decision records and that their index lists each of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'docs/adr';
const sections = ['Context', 'Decision', 'Alternatives', 'Consequences'];

/** Returns what is wrong with the form of one record. */
export function faultsOfRecord(name, text) {
  const number = name.slice(0, 4);
  const faults = [];
  if (!/^\d{4}(?:-[a-z0-9]+)+\.md$/.test(name)) faults.push('is not named NNNN-the-decision.md');
  if (!text.startsWith(`# ${number} `)) faults.push(`has no title “# ${number} …”`);
  if (!/^- \*\*Status:\*\* (?:Accepted|Superseded|Proposed)\b/m.test(text)) faults.push('has no status');
  if (!/^- \*\*Date:\*\* \d{4}-\d\d-\d\d$/m.test(text)) faults.push('has no date');
  const found = [...text.matchAll(/^## (.+)\n+(?=([^]*?)(?:\n## |$))/gm)];
  if (found.map(([, title]) => title).join() !== sections.join()) faults.push(`doesn't have ${sections.join(', ')}`);
  for (const [, title, body] of found)
    if (!body.trim() || body.startsWith('## ')) faults.push(`says nothing under ${title}`);
  return faults;
}

/** Returns what the index lacks: each record has one line, each number between the first and the last an explanation. */
export function faultsOfIndex(index, names) {
  const [listed, missing = ''] = index.split('## Missing numbers');
  const numbers = names.map((name) => Number(name.slice(0, 4)));
  const explained = new Set(
    [...missing.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, those]) => those.split(', ').map(Number)),
  );
  const all = Array.from({ length: Math.max(...numbers) }, (_unused, at) => at + 1);
  return [
    ...names.flatMap((name) => {
      const lines = listed.split('\n').filter((line) => line.startsWith(`| [${name.slice(0, 4)}](${name}) | `));
      return lines.length === 1 ? [] : [`lists ${name} ${lines.length} times`];
    }),
    ...all
      .filter((number) => numbers.includes(number) === explained.has(number))
      .map((number) => `doesn't say where ${String(number).padStart(4, '0')} is`),
  ];
}

/** Returns what supersedes a record by its own status, and is not said in the index. */
function unnamedSuccessors(index, name, text) {
  const status = /^- \*\*Status:\*\* Superseded by (.*)/m.exec(text)?.[1] ?? '';
  const line = index.split('\n').find((each) => each.startsWith(`| [${name.slice(0, 4)}]`)) ?? '';
  return [...status.matchAll(/\[(\d{4})\]/g)]
    .map(([, number]) => number)
    .filter((number) => !line.includes(`[${number}]`));
}

/** Returns a line for each fault below a folder. */
export function checkAdrs(home) {
  const names = readdirSync(join(home, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const index = readFileSync(join(home, folder, 'README.md'), 'utf8');
  return [
    ...names.flatMap((name) => {
      const text = readFileSync(join(home, folder, name), 'utf8');
      const unnamed = unnamedSuccessors(index, name, text).map(
        (number) => `is superseded by ${number}: say so in the index`,
      );
      return [...faultsOfRecord(name, text), ...unnamed].map((fault) => `${folder}/${name} ${fault}`);
    }),
    ...faultsOfIndex(index, names).map((fault) => `${folder}/README.md ${fault}`),
  ];
}
