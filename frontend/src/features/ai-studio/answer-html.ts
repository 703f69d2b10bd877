import DOMPurify from 'dompurify';
import { Marked } from 'marked';

/** Text and its shape: nothing that loads, links or listens, and no attributes. */
const tags =
  'p br strong em del code pre blockquote hr sup ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(' ');

/** An answer as HTML; a number that refers to one of the sources is raised. */
export function htmlOf(text: string, sources: ReadonlySet<number>): string {
  const marked = new Marked({
    gfm: true,
    extensions: [
      {
        name: 'citation',
        level: 'inline',
        start: (rest: string) => rest.search(/\[\d/),
        tokenizer(rest: string) {
          const [raw, number] = /^\[(\d{1,3})\](?!\()/.exec(rest) ?? [];
          return raw && sources.has(Number(number)) ? { type: 'citation', raw, number } : undefined;
        },
        renderer: ({ number }) => `<sup>${Number(number)}</sup>`,
      },
    ],
  });
  return DOMPurify.sanitize(marked.parse(text, { async: false }), { ALLOWED_TAGS: tags, ALLOWED_ATTR: [] });
}
