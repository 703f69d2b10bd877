import { Fragment } from 'react';

type Props = { readonly of: readonly (string | null)[] };

/** Shows what is said of an import, joined by dots: each part is isolated, so that no direction of writing tears another. */
export function Parts({ of }: Props) {
  const parts = of.filter((part) => part !== null);
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 ? ' · ' : null}
      <bdi>{part}</bdi>
    </Fragment>
  ));
}
