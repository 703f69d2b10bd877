import { useEffect, useState } from 'react';
import classes from './skeleton-matrix.module.css';

const rows = [38, 52, 44, 60, 35, 48, 56, 40, 50, 46];
const columns = [1, 2, 3, 4, 5, 6];
const patienceMs = 200;

/** The shape of the matrix in grey, once waiting has become noticeable. */
export function SkeletonMatrix({ label }: { label: string }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div aria-busy="true">
      <span className="p-hidden">{label}</span>
      {rows.map((width) => (
        <div key={width} className={classes.row}>
          <span>
            <i style={{ inlineSize: `${width}%` }} />
          </span>
          {columns.map((column) => (
            <i key={column} className={classes.cell} />
          ))}
        </div>
      ))}
    </div>
  );
}
