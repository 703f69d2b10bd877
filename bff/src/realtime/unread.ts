import type { Socket } from 'socket.io';

/** Ten of the longest answers. */
const mostUnread = 2_000_000;

/**
 * Cuts a connection whose reader leaves more characters unread than that, without a word: a word would wait behind them.
 * Its client comes back and says what it holds.
 */
export function cutUnread(conn: Socket['conn']): void {
  let waiting = 0;
  let handedOver = 0;
  // engine.io hands over what waits as soon as the system has taken all that was handed over before.
  conn.on('flush', () => {
    handedOver = waiting;
    waiting = 0;
  });
  conn.on('packetCreate', ({ data }: { data?: string }) => {
    waiting += data?.length ?? 0;
    const unread = waiting + (conn.transport.writable ? 0 : handedOver);
    if (unread > mostUnread) conn.request.socket.destroy();
  });
}
