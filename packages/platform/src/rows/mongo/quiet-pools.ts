import { createRequire } from 'node:module';

type Pool = {
  readonly options: { readonly minPoolSize: number };
  readonly poolState: string;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize(): void;
};

const lookMs = 10_000;
/** The driver that mongoose loads, which doesn't export this class. */
const requireAsMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
const { ConnectionPool } = requireAsMongoose('mongodb/lib/cmap/connection_pool.js') as {
  ConnectionPool: { prototype: Pool };
};
const { ensureMinPoolSize } = ConnectionPool.prototype;

/**
 * Makes the MongoDB driver (7.9) look through a pool each ten seconds instead of each 100 ms, for which it has no
 * option. A pool without a minimum has nothing to add, and dead connections are also found when they are used.
 */
ConnectionPool.prototype.ensureMinPoolSize = function () {
  ensureMinPoolSize.call(this);
  if (this.options.minPoolSize > 0 || this.poolState !== 'ready') return;
  clearTimeout(this.minPoolSizeTimer);
  this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), lookMs);
};
