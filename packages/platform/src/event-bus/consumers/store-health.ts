import mongoose from 'mongoose';
import type { Mongo } from '../../mongo/index.ts';

const { MongoError, MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoTopologyClosedError, MongoExpiredSessionError, MongoClientClosedError } = mongoose.mongo;
const outages = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoTopologyClosedError, MongoExpiredSessionError, MongoClientClosedError];
const labels = ['TransientTransactionError', 'RetryableWriteError', 'UnknownTransactionCommitResult'];
const signs = ['connectionPoolCleared', 'serverHeartbeatFailed'] as const;

/** Tells a store that went away from an event that cannot be handled, also when a handler hid the store's error behind its own. */
export class StoreHealth {
  private breaks = 0;
  private readonly count = (): void => { this.breaks += 1; };

  constructor(private readonly mongo: Mongo) {
    for (const sign of signs) mongo.connection.getClient().on(sign, this.count);
  }

  /**
   * To be called before an attempt. The answer tells of an error of this attempt whether the store, not the event, is to blame:
   * then the batch comes again and no retry is used up.
   */
  attempt(): (error: unknown) => boolean {
    const before = this.breaks;
    return (error) => this.breaks > before || isOfStore(error);
  }

  close(): void {
    for (const sign of signs) this.mongo.connection.getClient().off(sign, this.count);
  }
}

function isOfStore(error: unknown): boolean {
  for (let link: unknown = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    const reason = link;
    if (outages.some((outage) => reason instanceof outage) || reason.name.startsWith('MongoPool')) return true;
    if (reason instanceof MongoError && labels.some((label) => reason.hasErrorLabel(label))) return true;
  }
  return false;
}
