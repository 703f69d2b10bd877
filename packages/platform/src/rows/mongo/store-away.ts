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
 * Errors of a server that was too slow or ended a slow transaction: LockTimeout, MaxTimeMSExpired, NetworkTimeout,
 * WriteConflict, two more time limits, NoSuchTransaction.
 */
const tooSlow: readonly unknown[] = [24, 50, 89, 112, 202, 251, 262];
const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

const outOfDiskSpace = 14_031;
/** Errors of the system for a full disk, and for an owner with a full quota. */
const noRoom = ['ENOSPC', 'EDQUOT'];

const chainOf = (error: unknown): Error[] => {
  const chain: Error[] = [];
  for (let link: unknown = error; link instanceof Error && chain.length < 5; link = link.cause) chain.push(link);
  return chain;
};

/** Returns whether the error says that the disk or quota of the store or a folder is full. */
export const isStorageFull = (error: unknown): boolean =>
  chainOf(error).some((reason) => {
    const { code } = reason as { code?: unknown };
    return reason instanceof MongoError ? code === outOfDiskSpace : noRoom.includes(String(code));
  });

/**
 * Returns whether an error says that the store is unavailable, full, too slow or couldn't continue, also if another
 * error wraps it.
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
