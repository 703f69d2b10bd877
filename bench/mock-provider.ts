// A model server in its own process: streams stamped tokens at a given pace. `node mock-provider.ts` prints its port.
import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Wish = { readonly tokens: number; readonly perSecond: number };
const tickMs = 5;

/**
 * Reads what a question asks for: `tokens=500 rate=80`; with `titled` its chat gets a title of as many tokens. Each token is 10 characters and carries the time it left: ms of the
 * last 1,000 s.
 */
function wishOf(body: string): Wish {
  const [, tokens = '4'] = /tokens=(\d+)/.exec(body) ?? [];
  const [, rate = '80'] = /rate=([\d.]+)/.exec(body) ?? [];
  return { tokens: Number(tokens), perSecond: Number(rate) };
}

const now = (): string => ((performance.timeOrigin + performance.now()) % 1_000_000).toFixed(1).padStart(8, '0');
const event = (delta: string) =>
  `data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${delta}"}}]}\n\n`;

type Stream = { readonly response: ServerResponse; readonly wish: Wish; readonly startedAt: number; sent: number };
const streams = new Set<Stream>();

function pump(): void {
  for (const stream of streams) {
    const due = Math.min(
      stream.wish.tokens,
      1 + Math.floor(((performance.now() - stream.startedAt) * stream.wish.perSecond) / 1000),
    );
    while (stream.sent < due) {
      stream.response.write(event(`@${now()} `));
      stream.sent += 1;
    }
    if (stream.sent < stream.wish.tokens) continue;
    streams.delete(stream);
    stream.response.end(
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}\n\ndata: [DONE]\n\n',
    );
  }
}
setInterval(pump, tickMs);

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    if (request.url?.endsWith('/models'))
      return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"m"}]}');
    if (isTitleRequest(body) && !body.includes('titled')) return refuseTitle(response);
    response.setHeader('content-type', 'text/event-stream');
    const question = body.slice(body.lastIndexOf('tokens='));
    streams.add({ response, wish: wishOf(question), startedAt: performance.now(), sent: 0 });
    pump();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
