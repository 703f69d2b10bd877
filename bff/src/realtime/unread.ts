import type { Socket } from 'socket.io';

type Connection = Socket['conn'];
type Unread = {
  /** Characters that wait for the system to take what was handed over before. */
  waiting: number;
  handedOver: number;
  /** Whether the system has taken something since the last look. */
  hasMoved: boolean;
};

/** Ten of the longest answers. */
const mostOfOne = 2_000_000;
/** Of all connections that have stood still for a look together; who reads has hardly anything waiting. */
const mostOfAll = 16_000_000;
const lookEveryMs = 1_000;

/**
 * Bounds what waits for clients that don't read. A connection is cut without a word, which would wait behind the rest: one
 * that leaves too much unread, and those that leave most while all that stand still leave too much together. The client
 * comes back and says what it holds.
 */
export class UnreadBounds {
  private readonly connections = new Map<Connection, Unread>();
  /** Runs while there are connections. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: { readonly ofOne: number; readonly ofAll: number } = { ofOne: mostOfOne, ofAll: mostOfAll },
  ) {}

  watch(connection: Connection): void {
    const unread: Unread = { waiting: 0, handedOver: 0, hasMoved: false };
    this.connections.set(connection, unread);
    this.timer ??= setInterval(() => this.look(), lookEveryMs).unref();
    connection.once('close', () => {
      this.connections.delete(connection);
      if (this.connections.size === 0) this.close();
    });
    // engine.io hands over what waits as soon as the system has taken all that was handed over before.
    connection.on('flush', () => {
      unread.handedOver = unread.waiting;
      unread.waiting = 0;
      unread.hasMoved = true;
    });
    connection.on('packetCreate', ({ data }: { data?: string }) => {
      unread.waiting += data?.length ?? 0;
      const held = unread.waiting + (connection.transport.writable ? 0 : unread.handedOver);
      if (held > this.most.ofOne) cut(connection);
    });
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  look(): void {
    const still = [...this.connections].filter(([, unread]) => !unread.hasMoved && unread.waiting > 0);
    for (const unread of this.connections.values()) unread.hasMoved = false;
    let ofAll = still.reduce((sum, [, { waiting }]) => sum + waiting, 0);
    for (const [connection, { waiting }] of still.toSorted(([, one], [, other]) => other.waiting - one.waiting)) {
      if (ofAll <= this.most.ofAll) return;
      cut(connection);
      ofAll -= waiting;
    }
  }
}

const cut = (connection: Connection): void => void connection.request.socket.destroy();
