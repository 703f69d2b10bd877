// Checks pages: links and anchors, answers to readers' questions, lengths, code blocks. Counts what is still open.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { blockFault } from './docs-blocks.mjs';
import { readPage } from './docs-page.mjs';

const readme = 'README.md';
const questionsPage = 'docs/contributing/questions.md';
const readers = 4;
const questionsOfEach = 6;
const mostClicks = 2;
const mostLines = { page: 200, [readme]: 90 };
const mostColumns = 160;

/** Finds the beginning of the part that a command writes. */
const written = /^(?:<!-- made by npm run|Written by `npm run)/m;
const isExternal = (href) => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
const isDoc = (file) => /^(?:docs\/(?!adr\/).*|[A-Z_]+)\.md$/.test(file) && file !== 'CHANGELOG.md';

/** Returns the folder that links of a file start from: a fragment of `changes/` becomes a part of CHANGELOG.md. */
const folderOf = (file) => (/^changes\/.+\.[a-z]+\.md$/.test(file) ? '.' : dirname(file));

/** Returns where a link leads: a path without a slash at its end, and a fragment. */
function targetOf(file, href) {
  const [path, fragment = ''] = decodeURI(href).split('#');
  return { path: path === '' ? file : normalize(join(folderOf(file), path)).replace(/\/$/, ''), fragment };
}

function linkFault(home, pages, { file, href }) {
  const { path, fragment } = targetOf(file, href);
  if (!existsSync(join(home, path))) return `${file}: ${href} leads nowhere`;
  if (fragment === '' || !path.endsWith('.md')) return null;
  const anchors = pages.get(path)?.anchors ?? readPage(readFileSync(join(home, path), 'utf8')).anchors;
  return anchors.has(fragment) ? null : `${file}: ${href} has no such heading`;
}

/** Returns the pages and folders that a reader reaches from a page, each with the clicks that it takes. */
function clicksFrom(start, pages) {
  const clicks = new Map([[start, 0]]);
  for (const [file, count] of clicks) {
    for (const href of pages.get(file)?.links ?? []) {
      const { path } = targetOf(file, href);
      if (!isExternal(href) && !clicks.has(path)) clicks.set(path, count + 1);
    }
  }
  return clicks;
}

function questionFaults(pages) {
  const page = pages.get(questionsPage);
  if (!page) return [`${questionsPage} is missing`];
  const clicks = clicksFrom(readme, pages);
  const faults = [];
  if (page.tables.size !== readers)
    faults.push(`${questionsPage}: ${page.tables.size} kinds of readers, not ${readers}`);
  for (const [reader, rows] of page.tables) {
    if (rows.length !== questionsOfEach)
      faults.push(`${questionsPage}: ${reader} ask ${rows.length} questions, not ${questionsOfEach}`);
    for (const [question, answer] of rows) {
      const [href] = answer?.links ?? [];
      const count = href === undefined ? undefined : clicks.get(targetOf(questionsPage, href).path);
      if (count === undefined || count > mostClicks)
        faults.push(`${questionsPage}: "${question.text}" is not answered within ${mostClicks} clicks from ${readme}`);
    }
  }
  return faults;
}

function lengthFaults(file, text) {
  const own = text.slice(0, written.exec(text)?.index);
  const lines = own.trimEnd().split('\n');
  const most = mostLines[file] ?? mostLines.page;
  const faults = lines.length > most ? [`${file}: ${lines.length} lines, at most ${most}`] : [];
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const isFree = isCode || line.trimStart().startsWith('|');
    if (!isFree && line.length > mostColumns)
      faults.push(`${file}:${at + 1}: ${line.length} columns, at most ${mostColumns}`);
  }
  return faults;
}

/** Returns what is wrong in the given Markdown files below a folder, and what somebody still has to fill in. */
export function checkDocs(home, files = trackedPages(home)) {
  const texts = new Map(files.map((file) => [file, readFileSync(join(home, file), 'utf8')]));
  const pages = new Map([...texts].map(([file, text]) => [file, readPage(text)]));
  const links = [...pages].flatMap(([file, page]) =>
    page.links.filter((href) => !isExternal(href)).map((href) => ({ file, href })),
  );
  const placeholders = new Set([...texts].flatMap(([file, text]) => (isDoc(file) ? placeholdersIn(text) : [])));
  return {
    faults: [
      ...links.map((link) => linkFault(home, pages, link)),
      ...questionFaults(pages),
      ...[...texts].flatMap(([file, text]) => (isDoc(file) ? lengthFaults(file, text) : [])),
      ...[...pages].flatMap(([file, { blocks }]) =>
        blocks
          .map(blockFault)
          .filter(Boolean)
          .map((fault) => `${file}: ${fault}`),
      ),
    ].filter(Boolean),
    open: [counted(placeholders.size, 'placeholder')].filter(Boolean),
  };
}

const placeholdersIn = (text) => text.match(/\b[A-Z]+_CONTACT\b/g) ?? [];
const counted = (count, noun) => (count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`);

function trackedPages(home) {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '*.md'], { cwd: home, encoding: 'utf8' });
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(home, file)));
}

/** Returns names of pages in code, texts and other pages that no page has: an operator may follow them. */
export function checkMentions(home) {
  const pattern = '(^|[^[:alnum:]_/-])docs/[a-z0-9/._-]+\\.md';
  const { stdout } = spawnSync('git', ['grep', '-oIE', pattern, '--', '.', ':!*.spec.ts', ':!docs/adr'], {
    cwd: home,
    encoding: 'utf8',
  });
  return stdout.split('\n').flatMap((line) => {
    const [, file, path] = /^([^:]+):.*?(docs\/.+)$/.exec(line) ?? [];
    return path === undefined || existsSync(join(home, path)) ? [] : [`${file}: ${path} does not exist`];
  });
}
