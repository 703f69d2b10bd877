import type { Socket } from 'node:net';
import { frameReply, maxMessageBytes, parseRequest, type WireRequest } from './message.ts';

/** Answers one request; the buffer is the reply document. */
export type Responder = (request: WireRequest, reply: (document: Buffer) => void) => void;

/** Cuts a socket's bytes into messages and answers one after the other. A malformed message closes the connection. */
export function serveConnection(socket: Socket, respond: Responder): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let isBusy = false;

  const take = (message: Buffer): void => {
    const request = parseRequest(message);
    isBusy = true;
    respond(request, (document) => {
      isBusy = false;
      if (size > 0) setImmediate(drain);
      if (!request.wantsReply || socket.destroyed) return;
      const [header, body] = frameReply(request, document);
      if (body!.length < 16_384) socket.write(Buffer.concat([header!, body!]));
      else {
        socket.cork();
        socket.write(header!);
        socket.write(body!);
        socket.uncork();
      }
    });
  };

  const cut = (): void => {
    while (size >= 16 && !isBusy) {
      const first = chunks[0]!.length >= 4 ? chunks[0]! : join();
      const length = first.readInt32LE(0);
      if (length < 16 || length > maxMessageBytes) throw new RangeError(`message of ${length} bytes`);
      if (size < length) return;
      const all = join();
      const rest = all.subarray(length);
      chunks = rest.length > 0 ? [rest] : [];
      size = rest.length;
      take(all.subarray(0, length));
    }
  };

  const drain = (): void => {
    try {
      cut();
    } catch {
      socket.destroy();
    }
  };

  const join = (): Buffer => {
    if (chunks.length > 1) chunks = [Buffer.concat(chunks)];
    return chunks[0]!;
  };

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    drain();
  });
  socket.on('error', () => socket.destroy());
}
