import mongoose from 'mongoose';
import type { Mongo } from '../../mongo/index.ts';

const { MongoError, MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoTopologyClosedError, MongoExpiredSessionError, MongoClientClosedError } = mongoose.mongo;
const outages = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoTopologyClosedError, MongoExpiredSessionError, MongoClientClosedError];
const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];

/** True when the store, not the event, is to blame: then the batch comes again and no retry is used up. */
export async function isStoreOutage(error: unknown, mongo: Mongo): Promise<boolean> {
  for (let link: unknown = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    const reason = link;
    if (outages.some((outage) => reason instanceof outage) || reason.name.startsWith('MongoPool')) return true;
    if (reason instanceof MongoError && labels.some((label) => reason.hasErrorLabel(label))) return true;
  }
  return !(await answers(mongo));
}

async function answers(mongo: Mongo): Promise<boolean> {
  try {
    await mongo.connection.db?.command({ ping: 1 });
    return mongo.connection.readyState === 1;
  } catch {
    return false;
  }
}
