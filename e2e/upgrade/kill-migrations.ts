/** Before a migration's first batch, between a batch and the note of it, and after that note. */
export const killPoints = ['migration-begun', 'migration-batch-written', 'migration-batch-kept'] as const;
export type Migrating = {
  /** Runs the migrations up to that point. Resolves with true when the process was killed there, false when all is done. */
  runUntil(point: (typeof killPoints)[number]): Promise<boolean>;
  /** Forgets which migrations are done, on a copy that nothing has run on yet. */
  rewind(): Promise<void>;
};

/**
 * Kills migrations once at each point, always on what the last kill has left behind. Where the release of the fixture
 * had all migrations of today, these run again: a batch that runs twice must change nothing. Resolves with what it did.
 * Throws when a point was never reached: then the kills prove nothing.
 */
export async function killMigrations({ runUntil, rewind }: Migrating): Promise<{ kills: number; isRewound: boolean }> {
  const [first, ...others] = killPoints;
  let isRewound = false;
  if (!(await runUntil(first))) {
    await rewind();
    isRewound = true;
    if (!(await runUntil(first))) throw new Error('No migration runs, not even again.');
  }
  for (const point of others) if (!(await runUntil(point))) throw new Error(`Never killed at ${point}.`);
  return { kills: killPoints.length, isRewound };
}
