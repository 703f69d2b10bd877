import classes from './unread-dot.module.css';

/** Something in it is new; say so in words beside it. On top of a button it stands in the corner. */
export const UnreadDot = ({ isInCorner = false }: { isInCorner?: boolean }) => (
  <span className={classes.dot} data-corner={isInCorner || undefined} aria-hidden="true" />
);
