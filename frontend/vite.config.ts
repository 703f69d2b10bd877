import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { preloadPages } from './preload-pages.ts';

const literal = String.raw`(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\`(?:[^\`\\]|\\.)*\`)`;
const defaultMessage = new RegExp(String.raw`,?\s*defaultMessage:\s*${literal}`, 'g');

/**
 * English texts stand in the source for the reader and the extraction; the browser loads them once, as compiled
 * messages.
 */
const dropDefaultMessages: Plugin = {
  name: 'drop-default-messages',
  enforce: 'pre',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/frontend/src/') || !code.includes('defaultMessage')) return null;
    return { code: code.replace(defaultMessage, ''), map: null };
  },
};

const release = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;
const bffUrl = process.env['PARLEY_DEV_BFF'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [dropDefaultMessages, react(), preloadPages],
  resolve: {
    conditions: ['parley-source', ...defaultClientConditions],
    alias: [
      // Its package offers the browser only the build with the checks for developers.
      {
        find: /^react-router$/,
        replacement: fileURLToPath(import.meta.resolve('react-router').replace('/development/', '/production/')),
      },
      // Messages are compiled at build time, so the ICU parser stays out of the bundle.
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: fileURLToPath(import.meta.resolve('@formatjs/icu-messageformat-parser/no-parser.js')),
      },
    ],
  },
  define: { __RELEASE__: JSON.stringify(release) },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Whatever asks the server needs it: in a part of another page it would make the two need each other.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'query', test: /@tanstack[\\/](?:query-core|react-query)/, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  logLevel: 'warn',
  server: { proxy: { '/api': bffUrl, '/v1': bffUrl, '/socket.io': { target: bffUrl, ws: true } } },
  preview: { proxy: { '/api': bffUrl, '/v1': bffUrl, '/socket.io': { target: bffUrl, ws: true } } },
});
