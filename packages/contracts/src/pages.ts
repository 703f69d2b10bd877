// Imports no zod, to keep zod out of the browser, which makes its router from this table: `@parley/contracts/pages`.
import type { PageEntry } from './page-entry.ts';
import { visitorPages, type VisitorPage } from './visitor-pages.ts';

export const signedInPages = [
  { path: 'chat', feature: 'conversations', area: 'chat', right: null, group: 'chat', texts: 'app' },
  { path: 'chat/:id', feature: 'conversations', area: 'chat', right: null, group: null, texts: 'app' },
  {
    path: 'settings',
    feature: 'settings',
    area: 'person',
    right: null,
    group: 'you',
    texts: 'settings',
    alsoTexts: ['permissions', 'apiKey', 'deleted', 'tabs'],
  },
  {
    path: 'settings/orgs',
    feature: 'organisations',
    area: 'person',
    right: null,
    group: 'you',
    texts: 'organisations',
  },
  {
    path: 'settings/org_admin/:orgId',
    feature: 'organisation-settings',
    area: 'organisation',
    right: 'org:update',
    isAlsoPlatform: true,
    group: 'organisation',
    texts: 'organisation',
    alsoTexts: ['permissions', 'apiKey', 'csv', 'madeLink', 'tabs'],
  },
  {
    path: 'settings/active_users',
    feature: 'active-users',
    area: 'organisation',
    right: 'member:read_pii',
    group: 'organisation',
    texts: 'active',
  },
  {
    path: 'settings/org-monitoring',
    feature: 'org-monitoring',
    area: 'organisation',
    right: 'monitoring:read_org',
    group: 'organisation',
    texts: 'monitoring',
  },
  {
    path: 'settings/user-monitoring',
    feature: 'user-monitoring',
    area: 'organisation',
    right: 'usage:read_org',
    group: 'organisation',
    texts: 'people',
    alsoTexts: ['csv'],
  },
  {
    path: 'settings/permissions',
    feature: 'permissions',
    area: 'organisation',
    right: 'role:read',
    group: 'organisation',
    texts: 'permissions',
    alsoTexts: ['tabs'],
  },
  {
    path: 'settings/aiStudio-chatbot-settings',
    feature: 'ai-studio',
    area: 'organisation',
    right: 'chatbot:manage',
    group: 'organisation',
    texts: 'studio',
    alsoTexts: ['audience', 'failed'],
  },
  {
    path: 'settings/data-connections',
    feature: 'documents',
    area: 'organisation',
    right: 'data_connection:read',
    group: 'organisation',
    texts: 'documents',
    alsoTexts: ['audience', 'deleted', 'unread', 'viewer'],
  },
  {
    path: 'settings/feedback',
    feature: 'feedback',
    area: 'organisation',
    right: 'feedback:read',
    group: 'organisation',
    texts: 'feedback',
    alsoTexts: ['rating', 'csv', 'failed', 'tabs'],
  },
  {
    path: 'settings/billing',
    feature: 'billing',
    area: 'organisation',
    right: ['billing:read', 'budget:read'],
    group: 'organisation',
    texts: 'billing',
    alsoTexts: ['sales', 'csv', 'tabs'],
  },
  {
    path: 'settings/billing/success',
    feature: 'billing-success',
    area: 'organisation',
    right: 'billing:read',
    group: null,
    texts: 'billing',
    alsoTexts: ['sales'],
  },
  {
    path: 'settings/org_admin/monitoring/:orgId',
    feature: 'service-health',
    area: 'platform',
    right: null,
    group: 'platform',
    texts: 'health',
  },
  {
    path: 'settings/org_admin',
    feature: 'installation',
    area: 'platform',
    right: null,
    group: 'platform',
    texts: 'installation',
    alsoTexts: ['sales', 'madeLink', 'tabs'],
  },
  { path: 'sentry-test', feature: 'error-test', area: 'person', right: null, group: null, texts: 'errorTest' },
  { path: 'sentry-test/error', feature: 'page-failure', area: 'person', right: null, group: null, texts: 'errorTest' },
] as const satisfies readonly PageEntry[];

/** Lists every page. Router, response status, sidebar, search, preloading and texts follow from it. */
export const pages = [...visitorPages, ...signedInPages] as const;

export type Page = VisitorPage | SignedInPage;
export type SignedInPage = (typeof signedInPages)[number];
/** A page with an entry in the sidebar. */
export type EntryPage = Exclude<SignedInPage, { readonly group: null }>;
/**
 * Lists parts of the UI texts that load on request, or with the pages that name them, so that they don't delay the
 * first load.
 */
export const lateTexts = [
  'search',
  'tabs',
  'ended',
  'apiKey',
  'sales',
  'csv',
  'audience',
  'rating',
  'deleted',
  'viewer',
  'madeLink',
  'shortcuts',
  'files',
  'unread',
  'failed',
  'tray',
  'entries',
  'talk',
  'many',
  'project',
  'allow',
  'problem',
  'knowledge',
] as const;

export type TextPart = Page['texts'] | (typeof lateTexts)[number];

/** Returns the parts of the UI texts that a page shows; for an unknown address (undefined), those of the first load. */
export const textPartsOf = (page: Page | undefined): TextPart[] =>
  !page || page.area === 'visitor'
    ? ['first']
    : [...new Set<TextPart>(['first', 'app', page.texts, ...('alsoTexts' in page ? page.alsoTexts : [])])];

/** Returns the source of a regular expression for the page's addresses, below the locale. */
export const patternOf = ({ path }: Page): string => `^${path.replaceAll(/:[A-Za-z]+/g, '[A-Za-z0-9_]{1,64}')}/?$`;

/** Returns the page at an address below the locale; undefined if there is none. */
export const pageAt = (pathBelowLocale: string): Page | undefined =>
  pages.find((page) => new RegExp(patternOf(page)).test(pathBelowLocale));
