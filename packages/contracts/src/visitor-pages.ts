import type { PageEntry } from './page-entry.ts';

/**
 * The pages for visitors. They are in a file of their own so that a visitor's first load has no others:
 * `@parley/contracts/visitor-pages`.
 */
export const visitorPages = [
  { path: '', feature: 'sign-in', area: 'visitor', right: null, group: null, texts: 'first' },
  { path: 'forgot-password', feature: 'recovery', area: 'visitor', right: null, group: null, texts: 'recovery' },
  { path: 'reset-password', feature: 'recovery', area: 'visitor', right: null, group: null, texts: 'recovery' },
  { path: 'invitation', feature: 'invitation', area: 'visitor', right: null, group: null, texts: 'invitation' },
  { path: 'register', feature: 'register', area: 'visitor', right: null, group: null, texts: 'first' },
] as const satisfies readonly PageEntry[];
export type VisitorPage = (typeof visitorPages)[number];
