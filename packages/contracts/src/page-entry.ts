import type { Permission } from './permissions.ts';

export type PageEntry = {
  /** Below the locale; `:name` stands for an id. */
  readonly path: string;
  /** A folder of `frontend/src/features`; its `<feature>-page.tsx` shows the page. */
  readonly feature: string;
  /** Whose page it is. A visitor is nobody yet; a page of the organisation is one of the tab's organisation. */
  readonly area: 'visitor' | 'chat' | 'person' | 'organisation' | 'platform';
  /** Whoever lacks it sees neither the page nor its entry; of several one is enough, null asks for none. Those of the area `platform` are for platform admins. */
  readonly right: Permission | readonly Permission[] | null;
  /** Platform admins see it too, whatever their rights: of another organisation they see counts there. */
  readonly isAlsoPlatform?: true;
  /** Where its entry stands in the sidebar; null for a page that one reaches from others. */
  readonly group: 'chat' | 'you' | 'organisation' | 'platform' | null;
  /**
   * The texts that it needs: `first` come with every page, `app` with every one behind the sign-in, any other part,
   * named as the ids of its texts begin, with this page only.
   */
  readonly texts: string;
  /** Parts of other pages, or late ones, that it shows as well. */
  readonly alsoTexts?: readonly string[];
};
