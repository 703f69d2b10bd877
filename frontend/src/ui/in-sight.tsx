import { useEffect, useRef, type ReactNode } from 'react';
import classes from './in-sight.module.css';

/** Scrolls its content into view when it appears, above the foot of a form: an answer below the fold looks like none. */
export function InSight({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element} className={classes.inSight}>
      {children}
    </div>
  );
}
