import { fail } from '../errors.ts';
import type { Pattern } from './filter.ts';

const unsupported = /\(\?(?![:=!]|<[=!])|\\[AzZGQEhHKRXCpPkgN]|\[\[:|[*+?}]\+|\(\*/;
const spaces = '\\t\\n\\v\\f\\r ';

/** Rewrites one escape of PCRE so that it means the same in a JavaScript expression with the `u` flag. */
function translateEscape(next: string, inClass: boolean): string {
  if (next === 's') return inClass ? spaces : `[${spaces}]`;
  if (next === 'S')
    return inClass ? fail(51091, 'Regular expression is invalid: \\S inside a class is not supported') : `[^${spaces}]`;
  if (next === 'a') return '\\x07';
  if (next === 'e') return '\\x1b';
  if (/[A-Za-z0-9]/.test(next)) return `\\${next}`;
  if (/[\^$\\.*+?()[\]{}|/]/.test(next) || (inClass && next === '-')) return `\\${next}`;
  return next;
}

function translate(source: string, options: string): string {
  let result = '';
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '\\') result += translateEscape(source[++at] ?? '', inClass);
    else if (inClass) {
      inClass = char !== ']';
      result += char === '[' ? '\\[' : char;
    } else if (char === '[') {
      inClass = true;
      result += char;
      if (source[at + 1] === '^') result += source[++at];
      if (source[at + 1] === ']') result += `\\${source[++at]}`;
    } else if (char === '.' && !options.includes('s')) result += '[^\\n]';
    else if (char === '$' && !options.includes('m')) result += '(?=\\n?(?![^]))';
    else if (char === '{') {
      const quantifier = /^\{\d+(?:,\d*)?\}/.exec(source.slice(at))?.[0];
      result += quantifier ?? '\\{';
      at += (quantifier?.length ?? 1) - 1;
    } else result += char === ']' || char === '}' ? `\\${char}` : char;
  }
  return result;
}

const mostUnbounded = 3;
const longestSource = 1_000;

/**
 * Whether a pattern can take time without end on a short text, which nothing could stop: one repetition within another,
 * a choice that is repeated, what was found before asked for again, or many repetitions without a bound in a row.
 */
function canRunAway(source: string): boolean {
  const plain = source.replaceAll(/\\[^1-9]/g, 'x').replaceAll(/\[\]?[^\]]*\]/g, 'x');
  const openGroups: boolean[] = [];
  let unbounded = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at];
    if (char === '\\') return true;
    if (char === '(') openGroups.push(false);
    const closes = char === ')';
    const isBranching = closes && openGroups.pop() === true;
    const isRepeated = /^(?:[*+]|\{\d)/.test(plain.slice(at + 1, at + 3));
    if (isRepeated && isBranching) return true;
    if (/^(?:[*+]|\{\d+,\})/.test(plain.slice(at + 1, at + 16))) unbounded += 1;
    if ((isRepeated || isBranching || char === '|') && openGroups.length > 0) openGroups[openGroups.length - 1] = true;
  }
  return unbounded > mostUnbounded || source.length > longestSource;
}

function prefixOf(source: string): string | undefined {
  const match = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])*)/.exec(source);
  if (!match || source.includes('|')) return undefined;
  let literal = match[1]!;
  const rest = source.slice(match[0].length);
  if (/^[*?{]/.test(rest)) literal = literal.replace(/\\?[^]$/u, '');
  const prefix = literal.replace(/\\(.)/gu, '$1');
  return prefix === '' ? undefined : prefix;
}

/** Compiles a PCRE pattern of a query; what JavaScript would read differently is refused. */
export function patternOf(source: string, options: string): Pattern {
  const unknown = /[^imsu]/.exec(options)?.[0];
  if (unknown === 'x') fail('BadValue', 'the regular expression option x is not supported');
  if (unknown !== undefined) fail(51108, `invalid flag in regex options: ${unknown}`);
  if (source.includes('\0')) fail('BadValue', 'Regular expression cannot contain an embedded null byte');
  if (unsupported.test(source.replace(/\\\\/g, '')))
    fail(51091, `Regular expression is invalid: a construct of ${source} is not supported`);
  if (canRunAway(source)) fail(51091, 'Regular expression is invalid: it could run without end');
  const flags = `u${options.includes('i') ? 'i' : ''}${options.includes('m') ? 'm' : ''}${options.includes('s') ? 's' : ''}`;
  let expression: RegExp;
  try {
    expression = new RegExp(translate(source, options), flags);
  } catch {
    return fail(51091, `Regular expression is invalid: ${source}`);
  }
  return { expression, source, options, prefix: /[im]/.test(options) ? undefined : prefixOf(source) };
}
