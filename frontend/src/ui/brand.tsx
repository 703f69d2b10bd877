import classes from './brand.module.css';

/** Two half-discs: the left one raised, the right one lowered. */
export function ParleyMark({ size = 24, isBroken = false }: { size?: number; isBroken?: boolean }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M11.2 2.8a8.6 8.6 0 0 0 0 17.2z" className={classes.left} />
      <path d="M12.8 5.2a8.6 8.6 0 0 1 0 17.2z" className={isBroken ? classes.missing : classes.right} />
    </svg>
  );
}

export function Brand() {
  return (
    <span className={classes.brand}>
      <ParleyMark />
      Parley
    </span>
  );
}
