import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SlowModel = {
  readonly url: string;
  readonly address: string;
  /** How many wait for words. */
  readonly asked: number;
  /** To whoever asked last. */
  say(words: string): void;
  end(): void;
  /** To all who wait: it thinks, this or that, so that none of them takes it for stalled. */
  think(words?: string): void;
  /** To all who wait: these words, and the end. */
  answerAll(words: string): void;
  close(): void;
};

/** A model server that writes a word whenever the test says so. */
export async function startSlowModel(): Promise<SlowModel> {
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith('/models'))
      return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"slow-1"}]}');
    response.setHeader('content-type', 'text/event-stream').flushHeaders();
    open.push(response);
    response.once('close', () => open.splice(open.indexOf(response), 1));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const event = (choice: unknown) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;
  const last = `${event({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;
  return {
    url: `http://${address}/v1`,
    address,
    get asked() {
      return open.length;
    },
    say: (words) => void open.at(-1)?.write(event({ index: 0, delta: { content: words } })),
    end: () => void open.at(-1)?.end(last),
    think: (words = '…') => {
      for (const each of open) each.write(event({ index: 0, delta: { reasoning_content: words } }));
    },
    answerAll: (words) => {
      for (const each of open) each.end(event({ index: 0, delta: { content: words } }) + last);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
