const outOfGroup = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP',
]);
/** Names errors that kafkajs doesn't retry, although only a broker is unavailable or busy. */
const passing = new Set(['KafkaJSGroupCoordinatorNotFound', 'KafkaJSLockTimeout']);

/** Returns whether the coordinator wants this member to join again: another member has its partitions, or will soon. */
export function isOutOfGroup(error: unknown): boolean {
  return outOfGroup.has((error as { type?: string }).type ?? '');
}

/** Returns whether the brokers are to blame and a retry helps: one is unavailable, loading or moving. */
export function isPassing(error: unknown): boolean {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    const isRetriable = link.name.startsWith('KafkaJS') && (link as { retriable?: boolean }).retriable === true;
    if (isRetriable || passing.has(link.name) || isOutOfGroup(link)) return true;
  }
  return false;
}

/** Returns the error; for missing topics, an error that says what to do. */
export function explain(error: unknown, names: readonly string[]): unknown {
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    if ((link as { type?: string }).type === 'UNKNOWN_TOPIC_OR_PARTITION')
      return new Error(`Not all of these topics exist: ${names.join(', ')}. \`parley topics\` makes them.`, {
        cause: error,
      });
  }
  return error;
}
