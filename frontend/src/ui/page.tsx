import { createContext, useContext, type ReactNode } from 'react';
import { LiveChip } from './live-chip.tsx';
import { StaleBar } from './stale.tsx';
import classes from './page.module.css';

/** What the shell puts at the start of each header on small screens: the button that opens the sidebar. */
const leadingContext = createContext<ReactNode>(null);
export const PageLeading = leadingContext.Provider;

type Titles =
  | { title: string; documentTitle?: string }
  /** Requires `documentTitle` for the browser tab, as the title isn't plain text. */
  | { title: ReactNode; documentTitle: string };

type Props = Titles & {
  /** A title that is being written takes the room that there is. */
  isTitleWide?: boolean;
  before?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** One sheet: header with title, state, actions; below it the work. */
export function Page({
  title,
  documentTitle = title as string,
  isTitleWide = false,
  before,
  actions,
  children,
}: Props) {
  const leading = useContext(leadingContext);
  return (
    <>
      <title>{`${documentTitle} · Parley`}</title>
      <header className={classes.header}>
        {leading}
        {before}
        <h1 className={`p-h2 ${classes.title}`} data-wide={isTitleWide || undefined} dir="auto">
          {title}
        </h1>
        <div className={classes.actions}>{actions}</div>
      </header>
      <div className={classes.body}>{children}</div>
      <StaleBar />
    </>
  );
}

/** A page that says before its actions whether it is live. */
export function LivePage({ actions, ...page }: Props) {
  return (
    <Page
      {...page}
      actions={
        <>
          <LiveChip />
          {actions}
        </>
      }
    />
  );
}
