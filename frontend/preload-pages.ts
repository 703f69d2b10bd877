import { pages, patternOf, textPartsOf, type Page } from '@parley/contracts/pages';
import type { Plugin, Rolldown } from 'vite';
import { firstOrganisations } from './src/domain/organisation/early.ts';
import { addressOf } from './src/lib/http.ts';

/** What a page behind the sign-in reads before it shows anything, as `main.tsx` asks for it. */
const firstReads = [addressOf('GET /api/auth/me', {}), addressOf('GET /api/org/organisations', firstOrganisations)];

/**
 * Which parts an address needs is known before any of our code runs: the page asks for them along with the first one,
 * not after it.
 */
export const preloadPages: Plugin = {
  name: 'preload-pages',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {}, chunk: first }) {
      const { own, partsOf } = readParts(bundle as Rolldown.OutputBundle, first?.fileName ?? '');
      const locales = Object.values(bundle).flatMap(
        (file) => /\/([\w-]+)\.first\.json$/.exec(facadeOf(file))?.[1] ?? [],
      );
      // Most pages share most files: each is named once, and the pages name them by number.
      const names: string[] = [];
      const numbersOf = (sources: string[]) =>
        [...new Set(sources.flatMap(partsOf))].map((name) =>
          names.includes(name) ? names.indexOf(name) : names.push(name) - 1,
        );
      const table = pages.map((page) => ({
        pattern: patternOf(page),
        files: numbersOf(sourcesOf(page)),
        texts: Object.fromEntries(
          locales.map((locale) => [
            locale,
            numbersOf(textPartsOf(page).map((part) => `/compiled-messages/${locale}.${part}.json`)),
          ]),
        ),
        isSignedIn: page.area !== 'visitor',
      }));
      const firsts = own.map((name) => names.push(name) - 1);
      const script = `(() => {
        const names = ${JSON.stringify(names)}, reads = ${JSON.stringify(firstReads)};
        const [, locale, path] = /^\\/([^/]*)\\/?(.*)$/.exec(location.pathname);
        const pages = ${JSON.stringify(table)};
        const pageAt = (path) => pages.find(({ pattern }) => new RegExp(pattern).test(path));
        const isVisitor = document.documentElement.dataset.visitor === 'yes';
        // Visitors are led to the first page, and use nothing of the one that they asked for.
        const page = isVisitor && pageAt(path)?.isSignedIn ? pageAt('') : pageAt(path);
        const load = (link) => document.head.append(Object.assign(document.createElement('link'), link));
        const nonce = document.currentScript.nonce;
        for (const number of new Set([...${JSON.stringify(firsts)}, ...(page?.files ?? []), ...(page?.texts[locale] ?? [])])) {
          const href = '/' + names[number];
          if (href.endsWith('.css')) load({ rel: 'preload', as: 'style', crossOrigin: 'anonymous', href, nonce });
          else load({ rel: 'modulepreload', href, nonce });
        }
        if (page?.isSignedIn)
          for (const href of reads) load({ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href });
      })();`;
      // Before the style sheet, which a script would wait for.
      return html.replace('</title>', () => `</title>\n    <script nonce="__CSP_NONCE__">${script}</script>`);
    },
  },
};

const sourcesOf = ({ feature, area }: Page): string[] => [
  ...(area === 'visitor' ? [] : ['/src/app/signed-in.tsx']),
  `/src/features/${feature}/${feature}-page.tsx`,
];

const facadeOf = (file: Rolldown.OutputBundle[string]): string =>
  file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';

/**
 * The files of the first chunk, and those of the chunk that begins with a source file, with all that it imports and the
 * style sheets, but for those of the first. Large ones come first: a browser fetches few at once over one connection.
 */
function readParts(bundle: Rolldown.OutputBundle, first: string) {
  const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const withImports = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    for (const next of byFile.get(file)?.imports ?? []) withImports(next, found);
    return found;
  };
  const sizeOf = (file: string) => byFile.get(file)?.code.length ?? 0;
  const bySize = (files: Iterable<string>) => [...files].toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const known = withImports(first);
  const partsOf = (source: string): string[] => {
    const file = chunks.find((chunk) => facadeOf(chunk).endsWith(source))?.fileName;
    if (!file) throw new Error(`Preloading: no chunk begins with ${source}`);
    const parts = bySize([...withImports(file)].filter((name) => !known.has(name)));
    return [...parts.flatMap((name) => [...(byFile.get(name)?.viteMetadata?.importedCss ?? [])]), ...parts];
  };
  return { own: bySize(known), partsOf };
}
