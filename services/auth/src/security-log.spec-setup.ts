import { Counts } from '@parley/platform/counts';
import { Sealer } from '@parley/platform/crypto';
import { MemoryKv } from '@parley/platform/kv';
import type { ServiceStore } from '@parley/testing';
import { UsersRepository } from './users/index.ts';
import { SecurityLog } from './security-log/index.ts';

/** Returns the security log of a spec's store, with counts of its own. */
export function securityLogOn({ mongo, clock }: Pick<ServiceStore, 'mongo' | 'clock'>): SecurityLog {
  const sealer = new Sealer(Buffer.alloc(32, 7));
  const counts = new Counts(new MemoryKv(), () => clock.now().getTime());
  return new SecurityLog(mongo, new UsersRepository(mongo, clock), sealer, counts, clock);
}
