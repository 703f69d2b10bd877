/** Before a migration's first batch, between a batch and the note of it, and after that note. */
export const killPoints = ['migration-begun', 'migration-batch-written', 'migration-batch-kept'] as const;
export type Migrating = {
  /** Runs the migrations up to that point. Resolves with true when the process was killed there, false when all is done. */
  runUntil(point: (typeof killPoints)[number]): Promise<boolean>;
  /** How often each point is tried, as long as something is left to do. */
  readonly rounds: number;
  /** Forgets which migrations are done, on a copy that nothing has run on yet. */
  rewind(): Promise<void>;
};

/**
 * Kills migrations at each point in turn, always on what the last kill has left behind. Where the release of the fixture
 * had all migrations of today, these run again: a batch that runs twice must change nothing. Resolves with what it did.
 * Throws when a point was never reached: then the kills prove nothing.
 */
export async function killMigrations({
  runUntil,
  rounds,
  rewind,
}: Migrating): Promise<{ kills: number; isRewound: boolean }> {
  let isRewound = false;
  if (!(await runUntil(killPoints[0]))) {
    await rewind();
    isRewound = true;
    if (!(await runUntil(killPoints[0]))) throw new Error('No migration runs, not even again.');
  }
  const reached = new Set<string>([killPoints[0]]);
  let kills = 1;
  for (let life = 1; life < rounds * killPoints.length; life += 1) {
    const point = killPoints[life % killPoints.length]!;
    if (!(await runUntil(point))) break;
    reached.add(point);
    kills += 1;
  }
  const missed = killPoints.filter((point) => !reached.has(point));
  if (missed.length > 0) throw new Error(`Never killed at ${missed.join(', ')}.`);
  return { kills, isRewound };
}
