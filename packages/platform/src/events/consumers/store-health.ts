import { isStoreAway, type Mongo } from '../../rows/mongo/index.ts';

const signs = ['connectionPoolCleared', 'serverHeartbeatFailed'] as const;

/**
 * Tells a store that went away from an event that cannot be handled, also when a handler hid the store's error behind
 * its own.
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
   * To be called before an attempt. The answer tells of an error of this attempt whether the store, not the event, is
   * to blame: then the batch comes again and no retry is used up.
   */
  attempt(): (error: unknown) => boolean {
    const before = this.breaks;
    return (error) => this.breaks > before || isStoreAway(error);
  }

  close(): void {
    for (const sign of signs) this.mongo.connection.getClient().off(sign, this.count);
  }
}
