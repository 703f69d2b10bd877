import type { IncomingMessage, ServerResponse } from 'node:http';

/** A body that comes slower than 1 kB a second over ten seconds holds a connection for nothing. */
const everyMs = 10_000;
const leastBytes = 10_000;

/**
 * Cuts a request whose body comes too slowly. It isn't the client's fault while bytes of it wait to be read here: then
 * it is left alone.
 */
export function watchPace(
  request: IncomingMessage,
  response: ServerResponse,
  pace: { readonly everyMs: number; readonly leastBytes: number } = { everyMs, leastBytes },
): void {
  if (request.complete) return;
  let before = request.socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || request.socket.destroyed) return clearInterval(timer);
    const now = request.socket.bytesRead;
    if (request.readableLength === 0 && now - before < pace.leastBytes) request.socket.destroy();
    before = now;
  }, pace.everyMs);
  timer.unref();
  // A request that was answered early, as refusals are, goes on holding its connection with its body.
  response.once('close', () => {
    if (request.complete) clearInterval(timer);
  });
}
