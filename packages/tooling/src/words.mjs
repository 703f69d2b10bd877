// Finds comments, test titles, UI texts and docs that have to be read twice. The rules cover what a pattern can see:
// docs/contributing/words.md has them with their reasons. Hits from before the rules are counted in `words-left.json`,
// which can only shrink.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const opening =
  /^(?:Of|What|Whose|Who|Whom|Whether|How (?:many|much|long|often)|So (?:many|much|long|that)|As (?:many|much|long|little)|Where|Wherever|Whoever|Nobody|Nothing|Neither|That|Those|It is|There (?:is|are))\b/;
const phrase =
  /\b(?:whoever|whomever|anew|there is no such|is told (?:of|by)|is let in|stands? (?:here|there|beside|above|below|for itself)|hands? (?:it|them) over|so many|as (?:it|they) (?:is|are) there|of until now|in the place of|goes? on (?:as|with)|by that\b|of which|in which|is nothing of|not to be had)\b/i;
const mostWordsOfSentence = 28;
const fewestWords = 4;
/** Begins the part of a page that repeats words of the code, where they are counted. */
const written = '<!-- made by npm run';
const countsFile = 'packages/tooling/words-left.json';

const wordsOf = (text) => text.match(/[A-Za-z’']+/g)?.length ?? 0;

/** Returns why a sentence of code or UI has to be read twice; null where no rule says so. */
export function whyTwice(text) {
  const read = text.trim();
  if (wordsOf(read) < fewestWords) return null;
  if (opening.test(read)) return 'starts without subject and verb: say who does what';
  const found = phrase.exec(read);
  if (found) return `“${found[0]}”`;
  const longest = Math.max(...read.split(/(?<=[.;:])\s/).map(wordsOf));
  return longest > mostWordsOfSentence ? `${longest} words in one sentence` : null;
}

const comment = /^\s*(?:\/\/+|\/\*\*?|\*)\s?(.*?)(?:\*\/)?\s*$/;
const uiText = /defaultMessage: *(['"`])(.+?)\1/;
const testTitle = /\b(?:it|test|describe)(?:\.each\(.*\))?\(\s*['"`](.+?)['"`]/;
const linkTarget = /\]\([^)]*\)/g;
const inCapitals = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Returns the hits of a file as `{ line, why, text }`; none of the part of a page that is written from the code. */
export function hitsIn(file, content) {
  const hits = [];
  let block = [];
  const hit = (line, why, text) => why && hits.push({ line, why, text: text.trim() });
  const endBlock = () => {
    const text = block.map(({ part }) => part).join(' ');
    if (block.length > 0) hit(block[0].line, whyTwice(text), text);
    block = [];
  };
  const [read] = file.endsWith('.md') ? content.split(written) : [content];
  for (const [at, row] of read.split('\n').entries()) {
    const line = at + 1;
    if (file.endsWith('.md')) {
      const [found] = phrase.exec(row.replaceAll(linkTarget, ']')) ?? [];
      hit(line, found && `“${found}”`, row);
      continue;
    }
    const [, , shown] = uiText.exec(row) ?? [];
    const [, title] = testTitle.exec(row) ?? [];
    const [, part] = comment.exec(row) ?? [];
    if (shown === undefined && title === undefined && part !== undefined && !row.trimStart().startsWith('*/')) {
      block.push({ line, part });
      if (part.endsWith('.') || row.trimEnd().endsWith('*/')) endBlock();
      continue;
    }
    endBlock();
    if (shown !== undefined) hit(line, whyTwice(shown), shown);
    else if (title !== undefined)
      hit(
        line,
        (opening.test(inCapitals(title)) || phrase.test(title)) && 'a title that says not who does what',
        title,
      );
  }
  endBlock();
  return hits;
}

/** Returns a line for each hit of a file that has more of them than are counted, and whether the counts can shrink. */
export function compareWords(found, counted) {
  const lines = [...found].flatMap(([file, hits]) =>
    hits.length > (counted[file] ?? 0) ? hits.map(({ line, why, text }) => `${file}:${line}: ${why}\n    ${text}`) : [],
  );
  const isFewer = Object.entries(counted).some(([file, count]) => (found.get(file)?.length ?? 0) < count);
  return { lines, isFewer };
}

const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);

/** Returns the counts to store; null where they would grow, so that a moved file takes its hits along and adds none. */
export function shrunken(found, counted) {
  const counts = Object.fromEntries(
    [...found]
      .flatMap(([file, { length }]) => (length > 0 ? [[file, length]] : []))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  return sum(counts) <= sum(counted) ? counts : null;
}

const isRead = (file) => /\.(?:ts|tsx|mjs|md)$/.test(file) && !file.startsWith('CHANGELOG');

function foundBelow(home) {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: home });
  return new Map(
    files
      .toString()
      .split('\n')
      .filter((file) => isRead(file) && existsSync(join(home, file)))
      .map((file) => [file, hitsIn(file, readFileSync(join(home, file), 'utf8'))]),
  );
}

/** Returns what is to be rewritten below a folder. Stores the counts where hits are gone and none has come. */
export function checkWords(home) {
  const path = join(home, countsFile);
  const counted = JSON.parse(readFileSync(path, 'utf8'));
  const found = foundBelow(home);
  const { lines, isFewer } = compareWords(found, counted);
  const counts = shrunken(found, counted);
  if (counts === null || (lines.length > 0 && !process.argv.includes('--moved'))) return lines;
  if (!isFewer) return [];
  writeFileSync(path, `${JSON.stringify(counts, null, 2)}\n`);
  return [`${countsFile} shrank to ${sum(counts)} and is rewritten: commit it.`];
}

if (process.argv[1] === import.meta.filename) {
  const lines = checkWords(join(import.meta.dirname, '../../..'));
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exitCode = lines.length > 0 ? 1 : 0;
}
