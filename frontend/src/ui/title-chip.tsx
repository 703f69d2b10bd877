import type { ComponentProps, ReactNode } from 'react';
import { StatusShape } from './status-shape.tsx';
import classes from './title-chip.module.css';

type Props = {
  name: ReactNode;
  state: { readonly kind: ComponentProps<typeof StatusShape>['kind']; readonly words: ReactNode };
};

/** The title of a thing that has a state: it stands beside the name, where there is room for both. */
export function TitleChip({ name, state: { kind, words } }: Props) {
  return (
    <span className={classes.title}>
      <bdi className={classes.name}>{name}</bdi>
      <span className={classes.chip}>
        <StatusShape kind={kind} />
        {words}
      </span>
    </span>
  );
}
