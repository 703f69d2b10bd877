import classes from './status-shape.module.css';

export type StatusKind = 'ok' | 'live' | 'warning' | 'bad' | 'running' | 'new' | 'waiting' | 'off';

/**
 * Shape first, colour second: disc ok, triangle warn, octagon bad, arc running, diamond new, ring waiting, slashed ring
 * off.
 */
export function StatusShape({ kind }: { kind: StatusKind }) {
  return (
    <svg width="10" height="10" viewBox="0 0 10 10" className={classes.shape} data-kind={kind} aria-hidden="true">
      {kind === 'ok' ? <circle cx="5" cy="5" r="4" className={classes.fill} /> : null}
      {kind === 'live' ? (
        <>
          <circle cx="5" cy="5" r="4.25" className={classes.halo} />
          <circle cx="5" cy="5" r="2.4" className={classes.fill} />
        </>
      ) : null}
      {kind === 'warning' ? <path d="M5 0.8 9.6 9.2H0.4z" className={classes.fill} /> : null}
      {kind === 'bad' ? <path d="M3.2 0.8h3.6l2.4 2.4v3.6L6.8 9.2H3.2L0.8 6.8V3.2z" className={classes.fill} /> : null}
      {kind === 'new' ? <path d="M5 0.6 9.4 5 5 9.4 0.6 5z" className={classes.fill} /> : null}
      {kind === 'running' ? (
        <>
          <circle cx="5" cy="5" r="4" className={classes.track} />
          <path d="M5 1a4 4 0 0 1 4 4" className={classes.arc} />
        </>
      ) : null}
      {kind === 'waiting' ? <circle cx="5" cy="5" r="3.8" className={classes.ring} /> : null}
      {kind === 'off' ? (
        <>
          <circle cx="5" cy="5" r="3.8" className={classes.ring} />
          <path d="M2.4 7.6 7.6 2.4" className={classes.ring} />
        </>
      ) : null}
    </svg>
  );
}
