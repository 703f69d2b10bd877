// The least that a message needs to reach a second browser, in its own process: a POST that is emitted to all sockets.
// `node room.ts` prints its port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    io.emit('message', JSON.parse(body));
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
  });
});
server.keepAliveTimeout = 60_000;
const io = new Server(server, { transports: ['websocket'] });
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
