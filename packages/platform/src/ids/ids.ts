import { idPrefixes, type IdKind, type IdOf } from '@parley/contracts';
import { monotonicFactory } from 'ulidx';

const ulid = monotonicFactory();

/** A fresh id of the given kind: prefixed ULID, ascending within this process. */
export function newId<Kind extends IdKind>(kind: Kind): IdOf[Kind] {
  return `${idPrefixes[kind]}_${ulid()}` as IdOf[Kind];
}
