import type { IdKind, IdOf } from '@parley/contracts';
import { monotonicFactory } from 'ulidx';

const prefixes: Record<IdKind, string> = {
  user: 'usr',
  organisation: 'org',
  conversation: 'cnv',
  message: 'msg',
  generation: 'gen',
  provider: 'prv',
  document: 'doc',
  chunk: 'chk',
  event: 'evt',
  ledgerEntry: 'led',
};

const nextUlid = monotonicFactory();

/** Ids are made here, so repeating a create is harmless. */
export function newId<Kind extends IdKind>(kind: Kind): IdOf[Kind] {
  return `${prefixes[kind]}_${nextUlid()}` as IdOf[Kind];
}
