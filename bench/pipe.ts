// The least that a relay can do, in its own process: bytes of the model server's answer go on as they come. `node
// pipe.ts PORT` prints its port.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const modelPort = Number(process.argv[2]);
const server = createServer((incoming, outgoing) => {
  const asked = request(
    { host: '127.0.0.1', port: modelPort, path: incoming.url, method: incoming.method },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'text/event-stream' });
      answer.pipe(outgoing);
    },
  );
  incoming.pipe(asked);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
