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
/**
 * What a server says that could not do it in time, or ended the transaction because it took too long: LockTimeout,
 * MaxTimeMSExpired, NetworkTimeout, WriteConflict, two more time limits, NoSuchTransaction.
 */
const tooSlow: readonly unknown[] = [24, 50, 89, 112, 202, 251, 262];
const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

const outOfDiskSpace = 14_031;
/** What the system says when a file finds no room, and when its owner may have no more. */
const noRoom = ['ENOSPC', 'EDQUOT'];

const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = [];
  for (let link: unknown = error; link instanceof Error && chain.length < 5; link = link.cause) chain.push(link);
  return chain;
};

/** Whether there was no room for it, in the store or in a folder. */
export const isStorageFull = (error: unknown): boolean =>
  chainOf(error).some((reason) => {
    const { code } = reason as { code?: unknown };
    return reason instanceof MongoError ? code === outOfDiskSpace : noRoom.includes(String(code));
  });

/**
 * Whether an error says that the store is away, full, too slow or could not go on, also when another error hides the store's behind its
 * own.
 */
export function isStoreAway(error: unknown): boolean {
  return chainOf(error).some(
    (reason) =>
      outages.some((outage) => reason instanceof outage) ||
      reason.name.startsWith('MongoPool') ||
      (reason instanceof MongoError && tooSlow.includes(reason.code)) ||
      (reason instanceof MongoError && labels.some((label) => reason.hasErrorLabel(label))) ||
      isStorageFull(reason),
  );
}
