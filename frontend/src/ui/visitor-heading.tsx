import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './visitor-heading.module.css';

/** What a page before the sign-in says first; with a glyph where it is an outcome. */
export function VisitorHeading({
  title,
  icon: Icon,
  tone = 'accent',
  children,
}: {
  title: string;
  icon?: LucideIcon;
  tone?: 'accent' | 'success' | 'quiet';
  children?: ReactNode;
}) {
  return (
    <div>
      {Icon ? (
        <Icon size={28} strokeWidth={1.75} aria-hidden="true" className={classes.glyph} data-tone={tone} />
      ) : null}
      <h1 className="p-h1">{title}</h1>
      {children ? <p className="p-quiet">{children}</p> : null}
    </div>
  );
}
