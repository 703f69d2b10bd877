import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './visitor-heading.module.css';

/** What a page before the sign-in says first; with a glyph where it is an outcome. */
export function VisitorHeading({
  title,
  icon: Icon,
  tone = 'accent',
  mark,
  children,
}: {
  title: string;
  icon?: LucideIcon;
  tone?: 'accent' | 'success' | 'quiet';
  /** Of whom it speaks, beside the title. */
  mark?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div>
      {Icon ? <Icon size={28} className={classes.glyph} data-tone={tone} /> : null}
      {mark ? (
        <div className={classes.marked}>
          {mark}
          <h1 className="p-h1">{title}</h1>
        </div>
      ) : (
        <h1 className="p-h1">{title}</h1>
      )}
      {children ? <p className="p-quiet">{children}</p> : null}
    </div>
  );
}
