import mongoose from 'mongoose';

const {
  MongoError,
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoExpiredSessionError,
  MongoClientClosedError,
} = mongoose.mongo;
const outages = [
  MongoNetworkError,
  MongoServerSelectionError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoExpiredSessionError,
  MongoClientClosedError,
];
const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

/**
 * Whether an error says that the store is away or could not go on, also when another error hides the store's behind its
 * own.
 */
export function isStoreAway(error: unknown): boolean {
  for (let link: unknown = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    const reason = link;
    if (outages.some((outage) => reason instanceof outage) || reason.name.startsWith('MongoPool')) return true;
    if (reason instanceof MongoError && labels.some((label) => reason.hasErrorLabel(label))) return true;
  }
  return false;
}
