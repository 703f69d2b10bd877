import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  powershell,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(languages)) hljs.registerLanguage(name, grammar);

/** Longer code would hold the page up. */
const mostCharacters = 20_000;
/** Five colours tell enough apart; what is not here keeps the colour of text. */
const classOf: Readonly<Record<string, string>> = {
  comment: 'md-comment',
  quote: 'md-comment',
  meta: 'md-comment',
  keyword: 'md-word',
  built_in: 'md-word',
  type: 'md-word',
  title: 'md-word',
  name: 'md-word',
  tag: 'md-word',
  section: 'md-word',
  'selector-tag': 'md-word',
  'selector-class': 'md-word',
  string: 'md-string',
  regexp: 'md-string',
  addition: 'md-added',
  deletion: 'md-removed',
  number: 'md-value',
  literal: 'md-value',
  symbol: 'md-value',
  attr: 'md-value',
  attribute: 'md-value',
  parameter: 'md-value',
  'template-variable': 'md-value',
};

/** HTML of the code with classes of our own, to be sanitised like all else; null for a language that is not known. */
export function colourCode(code: string, language: string): string | null {
  if (code.length > mostCharacters || !hljs.getLanguage(language)) return null;
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  return value.replace(/<span class="hljs-([\w-]+)[^"]*">/g, (_tag, scope: string) => {
    const own = classOf[scope];
    return own ? `<span class="${own}">` : '<span>';
  });
}
