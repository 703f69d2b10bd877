import { useId, type ReactNode } from 'react';
import classes from './settings.module.css';

/** A heading with what it is about, and beside it the fields. */
export function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <header className={classes.heading}>
        <h2 id={id} className="p-h3">
          {title}
        </h2>
        <p className="p-sm p-quiet">{about}</p>
      </header>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
