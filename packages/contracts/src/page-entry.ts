import type { Permission } from './permissions.ts';

export type PageEntry = {
  /** The path below the locale; `:name` is an id. */
  readonly path: string;
  /** A folder in `frontend/src/features`. Its `<feature>-page.tsx` shows the page. */
  readonly feature: string;
  /** The scope of the page. A visitor isn't signed in; a page of the organisation uses the tab's organisation. */
  readonly area: 'visitor' | 'chat' | 'person' | 'organisation' | 'platform';
  /**
   * Permissions for the page and its entry: one of several is enough, null asks for none. Pages of the area `platform`
   * are for platform admins.
   */
  readonly right: Permission | readonly Permission[] | null;
  /** Platform admins see the page in any organisation, but only counts in organisations other than their own. */
  readonly isAlsoPlatform?: true;
  /** The group of the page's entry in the sidebar; null for a page without an entry. */
  readonly group: 'chat' | 'you' | 'organisation' | 'platform' | null;
  /**
   * The part of the UI texts that the page loads. `first` comes with every page, `app` with every page behind the
   * sign-in, any other part with this page only. A part has the ids that begin with its name.
   */
  readonly texts: string;
  /** Other parts of the UI texts that the page shows, including those of `lateTexts`. */
  readonly alsoTexts?: readonly string[];
};
