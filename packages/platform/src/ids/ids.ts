import { idPrefixes, type IdKind, type IdOf } from '@parley/contracts';
import { decodeTime, monotonicFactory } from 'ulidx';

const ulid = monotonicFactory();

/** A fresh id of the given kind: prefixed ULID, ascending within this process. */
export function newId<Kind extends IdKind>(kind: Kind): IdOf[Kind] {
  return `${idPrefixes[kind]}_${ulid()}` as IdOf[Kind];
}

/** When an id was made, in ms since 1970. */
export const timeOf = (id: string): number => decodeTime(id.slice(id.indexOf('_') + 1));
