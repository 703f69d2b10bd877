import type { Socket } from 'socket.io';

type Connection = Socket['conn'];
/** Characters: those that were handed over to the system, and those that wait until it has taken them. */
type Unread = { handedOver: number; waiting: number };

/** Limits the unread characters of all connections together; clients that keep reading leave almost none. */
const mostUnread = 16_000_000;
const lookEveryMs = 1_000;

/**
 * Bounds what clients leave unread. While all together leave too much, those that leave most are cut, without a word,
 * which would wait behind the rest. They come back and say what they hold.
 */
export class UnreadBounds {
  private readonly connections = new Map<Connection, Unread>();
  /** Runs while there are connections. */
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly most: number = mostUnread) {}

  watch(connection: Connection): void {
    const unread: Unread = { handedOver: 0, waiting: 0 };
    this.connections.set(connection, unread);
    this.timer ??= setInterval(() => this.look(), lookEveryMs).unref();
    connection.once('close', () => {
      this.connections.delete(connection);
      if (this.connections.size === 0) this.close();
    });
    // engine.io hands over what waits as soon as the system has taken all that was handed over before.
    connection.on('flush', () => Object.assign(unread, { handedOver: unread.waiting, waiting: 0 }));
    connection.on('packetCreate', ({ data }: { data?: string }) => void (unread.waiting += data?.length ?? 0));
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  look(): void {
    const all = [...this.connections].map(([connection, unread]) => ({ connection, left: leftOf(connection, unread) }));
    let ofAll = all.reduce((sum, { left }) => sum + left, 0);
    if (ofAll <= this.most) return;
    for (const { connection, left } of all.toSorted((one, other) => other.left - one.left)) {
      connection.request.socket.destroy();
      ofAll -= left;
      if (ofAll <= this.most) return;
    }
  }
}

const leftOf = ({ transport }: Connection, { handedOver, waiting }: Unread): number =>
  waiting + (transport.writable ? 0 : handedOver);
