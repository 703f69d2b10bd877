import type { IdOf } from '@parley/contracts';
import { idPrefixes, type IdKind } from '@parley/contracts/names';
import { monotonicFactory } from 'ulid';

const nextUlid = monotonicFactory();

/** Ids are made here, so repeating a create is harmless. */
export function newId<Kind extends IdKind>(kind: Kind): IdOf[Kind] {
  return `${idPrefixes[kind]}_${nextUlid()}` as IdOf[Kind];
}
