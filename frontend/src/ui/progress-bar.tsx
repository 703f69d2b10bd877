import classes from './progress-bar.module.css';

type Props = { readonly value: number; readonly of: number; readonly label: string; readonly className?: string };

/** How far something is. `label` says it in words, `className` how wide it is. */
export function ProgressBar({ value, of, label, className = '' }: Props) {
  return (
    <progress
      className={`${classes.bar} ${className}`}
      value={value}
      max={Math.max(of, Number.MIN_VALUE)}
      aria-label={label}
    />
  );
}
