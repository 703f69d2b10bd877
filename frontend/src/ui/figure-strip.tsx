import type { ReactNode } from 'react';
import classes from './figure-strip.module.css';

/** Six figures in a row; of `isOld` ones nobody should think that they are of now. */
export function FigureStrip({ isOld = false, children }: { isOld?: boolean; children: ReactNode }) {
  return (
    <dl className={`p-sm p-quiet ${classes.strip}`} data-old={isOld || undefined}>
      {children}
    </dl>
  );
}

type FigureProps = {
  label: string;
  value: string;
  unit?: string | null;
  title?: string | undefined;
  /** Somebody should look at it. */
  isBad?: boolean;
  /** What it is of, or how it was. */
  children?: ReactNode;
};

export function Figure({ label, value, unit = null, title, isBad = false, children }: FigureProps) {
  return (
    <div className={classes.cell} title={title}>
      <dt>{label}</dt>
      <dd>
        <bdi className={classes.value} data-bad={isBad || undefined}>
          {value}
        </bdi>{' '}
        {unit}
      </dd>
      <dd className={classes.about}>{children}</dd>
    </div>
  );
}
