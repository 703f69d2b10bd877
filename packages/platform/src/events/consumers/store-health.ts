import { isStoreAway, type Mongo } from '../../rows/mongo/index.ts';

const signs = ['connectionPoolCleared', 'serverHeartbeatFailed'] as const;

/**
 * Tells an unavailable store from an event that can't be handled, even if a handler hid the store's error behind its
 * own.
 */
export class StoreHealth {
  private breaks = 0;
  private readonly count = (): void => {
    this.breaks += 1;
  };

  constructor(private readonly mongo: Mongo) {
    for (const sign of signs) mongo.connection.getClient().on(sign, this.count);
  }

  /**
   * Returns a function that says of an error of this attempt whether the store is to blame, not the event. Then the
   * batch comes again and no retry is used up. Call it before an attempt.
   */
  attempt(): (error: unknown) => boolean {
    const before = this.breaks;
    return (error) => this.breaks > before || isStoreAway(error);
  }

  close(): void {
    for (const sign of signs) this.mongo.connection.getClient().off(sign, this.count);
  }
}
