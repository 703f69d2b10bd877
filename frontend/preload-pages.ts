import type { Plugin } from 'vite';

/** The entry of each area of addresses, the texts that it shows, and what it reads before it shows anything. */
const areas = [
  { areas: [''], entry: 'src/features/sign-in/sign-in-page.tsx', texts: ['first'], reads: [] },
  {
    areas: ['chat', 'settings'],
    entry: 'src/app/signed-in.tsx',
    texts: ['first', 'app'],
    reads: ['/api/auth/me', '/api/org/organisations?limit=100'],
  },
];

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
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const withImports = (file: string, found: Set<string>): Set<string> => {
        if (found.has(file)) return found;
        found.add(file);
        for (const next of byFile.get(file)?.imports ?? []) withImports(next, found);
        return found;
      };
      const known = withImports(first?.fileName ?? '', new Set());
      const newOf = (facade: string) => {
        const file = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(facade))?.fileName;
        if (!file) throw new Error(`Preloading: no chunk for ${facade}`);
        return [...withImports(file, new Set())].filter((name) => !known.has(name));
      };
      const locales = [
        ...new Set(
          chunks.flatMap(
            ({ facadeModuleId }) => /compiled-messages\/([\w-]+)\.first\.json/.exec(facadeModuleId ?? '')?.[1] ?? [],
          ),
        ),
      ];
      const pages = Object.fromEntries(
        areas.flatMap(({ areas: names, entry }) => names.map((name) => [name, newOf(`/${entry}`)])),
      );
      const texts = Object.fromEntries(
        locales.flatMap((locale) =>
          areas.flatMap(({ areas: names, texts: parts }) =>
            names.map((name) => [
              `${locale}/${name}`,
              parts.flatMap((part) => newOf(`/compiled-messages/${locale}.${part}.json`)),
            ]),
          ),
        ),
      );
      const reads = Object.fromEntries(
        areas.flatMap(({ areas: names, reads: paths }) => names.map((name) => [name, paths])),
      );
      const script = `(() => {
        const [, locale, area = ''] = location.pathname.split('/');
        const pages = ${JSON.stringify(pages)}, texts = ${JSON.stringify(texts)}, reads = ${JSON.stringify(reads)};
        const load = (link) => document.head.append(Object.assign(document.createElement('link'), link));
        for (const file of [...(pages[area] ?? []), ...(texts[locale + '/' + area] ?? [])]) {
          load({ rel: 'modulepreload', href: '/' + file, nonce: document.currentScript.nonce });
        }
        for (const href of reads[area] ?? []) load({ rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href });
      })();`;
      // Before the style sheet, which a script would wait for.
      return html.replace('</title>', `</title>\n    <script nonce="__CSP_NONCE__">${script}</script>`);
    },
  },
};
