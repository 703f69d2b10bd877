import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './note.module.css';

const icons = { danger: CircleAlert, warning: TriangleAlert, info: Info, success: CircleCheck };

/** A message in its place: what happened, why, what next; actions below the words. */
export function Note({
  kind,
  children,
  actions,
  isAlert = false,
}: {
  kind: keyof typeof icons;
  children: ReactNode;
  actions?: ReactNode;
  isAlert?: boolean;
}) {
  const Icon = icons[kind];
  return (
    <div className={classes.note} data-kind={kind} role={isAlert ? 'alert' : undefined}>
      <Icon className={classes.icon} />
      <div className={classes.text}>
        {children}
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
    </div>
  );
}
