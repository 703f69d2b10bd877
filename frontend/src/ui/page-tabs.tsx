import { useLayoutEffect, useRef } from 'react';
import { Link, useSearchParams, type To } from 'react-router-dom';
import classes from './page-tabs.module.css';

/**
 * The tabs of a page, which stand in its address as `?tab=`. Each is a link, so that one can be opened beside this one;
 * what else stands in the query belongs to the tab that is left.
 */
export function PageTabs<Key extends string>({
  label,
  tabs,
  current,
  linkTo,
}: {
  label: string;
  tabs: readonly { readonly key: Key; readonly label: string; readonly count?: number }[];
  current: Key;
  /** Where the address says more than the tab. */
  linkTo?: (key: Key) => To;
}) {
  const [search] = useSearchParams();
  const ofPage = (key: Key) => {
    const slug = search.get('org');
    return { search: new URLSearchParams({ tab: key, ...(slug && { org: slug }) }).toString() };
  };
  const here = useRef<HTMLAnchorElement>(null);
  // Where there is no room for all of them, the row scrolls; the page itself stays where it is.
  useLayoutEffect(() => {
    // Gives a promise in some browsers, which is no clean-up.
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          ref={tab.key === current ? here : undefined}
          to={(linkTo ?? ofPage)(tab.key)}
          className={classes.tab}
          aria-current={tab.key === current ? 'page' : undefined}
        >
          {tab.label}
          {tab.count ? <span className={classes.count}>{tab.count}</span> : null}
        </Link>
      ))}
    </nav>
  );
}

/** The tab that the address names; the first one where it names none, or one that is not there. */
export function useCurrentTab<Key extends string>(tabs: readonly { readonly key: Key }[]): Key | undefined {
  const [search] = useSearchParams();
  const named = search.get('tab');
  return (tabs.find(({ key }) => key === named) ?? tabs[0])?.key;
}
