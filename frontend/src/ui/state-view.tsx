import type { LucideIcon } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import classes from './state-view.module.css';

/** Empty, no match, error or no permission: a glyph, what it is, why, and what to do. */
export function StateView({
  icon: Icon,
  title,
  children,
  actions,
  isAlert = false,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  isAlert?: boolean;
}) {
  return (
    <div className={classes.state} role={isAlert ? 'alert' : undefined}>
      <Icon size={20} strokeWidth={1.5} className={classes.icon} />
      <h2 className="p-h3">{title}</h2>
      {children ? <div className={`p-sm p-quiet ${classes.text}`}>{children}</div> : null}
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </div>
  );
}

/** Grey lines, only once waiting has become noticeable. */
export function SkeletonRows({ count = 5, label }: { count?: number; label: string }) {
  if (!useIsLong()) return null;
  return (
    <div className={classes.rows} aria-busy="true">
      <span className="p-hidden">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.row}>
          <i className={classes.bar} style={{ inlineSize: `${[38, 29, 43, 24, 34][index % 5]}%` }} />
          <i className={classes.bar} style={{ inlineSize: '14%' }} />
        </div>
      ))}
    </div>
  );
}

/** The shape of a talk: who says something, and lines of it. */
export function SkeletonBubbles({ label }: { label: string }) {
  if (!useIsLong()) return null;
  return (
    <div className={classes.bubbles} aria-busy="true">
      <span className="p-hidden">{label}</span>
      {[[54], [92, 86, 38], [40], [88, 64]].map((lines, index) => (
        <div key={index} className={classes.bubble}>
          <i className={classes.face} />
          <i className={classes.bar} style={{ inlineSize: '18%' }} />
          {lines.map((share) => (
            <i key={share} className={classes.bar} style={{ inlineSize: `${share}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}

function useIsLong(): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return isLong;
}
