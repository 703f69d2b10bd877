import type { ProcessName } from '@parley/testing/distributed';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './product.ts';
import type { Wrong } from './evidence.ts';
import type { failpoints } from './kills.ts';

export type Failpoint = (typeof failpoints)[number];
/** One process is killed at any time while people are at work, or kills itself at a failpoint. */
export type ProcessKill = { readonly name: ProcessName; readonly failpoint?: Failpoint | 'relayed-not-marked' };
export type Replacement = { readonly file: string; readonly of: string; readonly by: string };
export type Mutant = {
  readonly name: string;
  readonly replacements: readonly Replacement[];
  /** The figure that must show it. */
  readonly shows: Wrong;
  readonly workers: number;
  readonly kills: { readonly random: number; readonly failpoint: number; readonly names: readonly Failpoint[] };
  /** On the distributed edition. */
  readonly processKills: readonly ProcessKill[];
};

const inbox = 'packages/platform/dist/events/consumers/inbox.js';

/**
 * The product without one of its guards. The files stay as they are: a load hook of the started process replaces the
 * text.
 */
export const mutants: readonly Mutant[] = [
  {
    name: 'inbox',
    shows: 'misbilled',
    workers: 1,
    kills: { random: 4, failpoint: 4, names: ['effect-committed'] },
    processKills: Array.from({ length: 4 }, () => ({ name: 'billing', failpoint: 'effect-committed' })),
    replacements: [
      { file: inbox, of: 'return new Set(own.map(', by: 'return new Set([].map(' },
      { file: inbox, of: 'if (events.length === 0) return;', by: 'return;' },
    ],
  },
  {
    name: 'claim',
    shows: 'doubled',
    workers: 2,
    kills: { random: 6, failpoint: 2, names: ['claimed-no-frame'] },
    processKills: Array.from({ length: 4 }, () => ({ name: 'chat-worker' })),
    replacements: [
      {
        file: 'services/chat/dist/answers/generations/rows/generations.repository.js',
        of: '_id,\n            status,\n            epoch\n        }, {',
        by: '_id\n        }, {',
      },
    ],
  },
];

/**
 * What a process imports before its own code, so that it runs a changed text. Throws when a text to replace is not
 * there exactly once: the product has changed, and the run would prove nothing. `checkout` is where the process's code is.
 */
export function hookOf(replacements: readonly Replacement[], checkout = root): string {
  for (const { file, of } of replacements) {
    const found = readFileSync(join(checkout, file), 'utf8').split(of).length - 1;
    if (found !== 1) throw new Error(`"${of}" is ${found} times in ${file}.`);
  }
  const source = `import { registerHooks } from 'node:module';
const replacements = ${JSON.stringify(replacements)};
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = replacements.filter(({ file }) => url.endsWith('/' + file));
    if (own.length === 0) return loaded;
    let source = String(loaded.source);
    for (const { of, by } of own) source = source.replace(of, () => by);
    return { ...loaded, source };
  },
});`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
