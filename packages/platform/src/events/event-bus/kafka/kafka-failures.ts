const outOfGroup = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
]);
/** Not retriable for kafkajs, though all that is wrong is a broker that is away or busy. */
const passing = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout']);

/**
 * Whether the coordinator wants this member to join anew: what it holds may soon be, or is already, somebody else's.
 */
export function isOutOfGroup(error: unknown): boolean {
  return outOfGroup.has((error as { type?: string }).type ?? '');
}

/** Whether the brokers are to blame and trying again later helps: one went away, is loading or moving. */
export function isPassing(error: unknown): boolean {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    const isRetriable = link.name.startsWith('KafkaJS') && (link as { retriable?: boolean }).retriable === true;
    if (isRetriable || passing.has(link.name) || isOutOfGroup(link)) return true;
  }
  return false;
}

/** The error, or one that tells what to do when it is about topics that are not there. */
export function explain(error: unknown, names: readonly string[]): unknown {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    if ((link as { type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION')
      return new Error(`Not all of these topics exist: ${names.join(', ')}. \`parley topics\` makes them.`, {
        cause: error,
      });
  }
  return error;
}
