// Parses the code blocks of pages. Blocks `sh run` are run by `infra/docs.spec.ts`.
import { parse } from '@babel/parser';
import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

const script = {
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  plugins: ['typescript', 'decorators-legacy'],
};
const withMarkup = { ...script, plugins: [...script.plugins, 'jsx'] };
/** Puts an excerpt back into what it was cut out of: a module, a class, an object. */
const around = [(text) => text, (text) => `class Excerpt {${text}}`, (text) => `({${text}})`];

/** Throws the first error where no way to read the excerpt works; `…` stands for what it leaves out. */
function parseCode(text, options) {
  const errors = around.map((wrap) => {
    try {
      parse(wrap(text.replaceAll('…', '_')), options);
      return null;
    } catch (error) {
      return error;
    }
  });
  if (!errors.includes(null)) throw errors[0];
}

function parseShell(text) {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
}

function parseYaml(text) {
  for (const { errors } of parseAllDocuments(text)) if (errors.length > 0) throw errors[0];
}

const code = (text) => parseCode(text, script);
const markup = (text) => parseCode(text, withMarkup);
const parsers = {
  sh: parseShell,
  bash: parseShell,
  json: (text) => void JSON.parse(text),
  yaml: parseYaml,
  ts: code,
  js: code,
  tsx: markup,
};

/** Returns why a block can't be parsed, in one line; null where it can, or where nothing parses its language. */
export function blockFault({ info, text }) {
  const [language = ''] = info.split(' ');
  try {
    parsers[language]?.(text);
    return null;
  } catch ({ message }) {
    return `a block of ${language} can't be parsed: ${message.split('\n')[0]}`;
  }
}
