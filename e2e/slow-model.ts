import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SlowModel = {
  readonly url: string;
  readonly address: string;
  /** How many wait for words. */
  readonly asked: number;
  /** The addresses of the images of the latest request. */
  readonly images: readonly string[];
  /** To whoever asked last. */
  say(words: string): void;
  /** To all who wait. */
  sayToAll(words: string): void;
  end(): void;
  /** Cuts the connection of the latest request in the middle of its answer. */
  cut(): void;
  /** To all who wait: it thinks, this or that, so that none of them takes it for stalled. */
  think(words?: string): void;
  /** To all who wait: these words, and the end. */
  answerAll(words: string): void;
  close(): void;
};

/** A model server that writes a word whenever the test says so. */
export async function startSlowModel(name = 'slow-1'): Promise<SlowModel> {
  const open: ServerResponse[] = [];
  let images: readonly string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url?.endsWith('/models'))
        return void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ data: [{ id: name }] }));
      if (isTitleRequest(body)) return refuseTitle(response);
      images = imagesIn(body);
      response.setHeader('content-type', 'text/event-stream').flushHeaders();
      open.push(response);
      response.once('close', () => open.splice(open.indexOf(response), 1));
    });
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
    get images() {
      return images;
    },
    say: (words) => void open.at(-1)?.write(event({ index: 0, delta: { content: words } })),
    sayToAll: (words) => {
      for (const each of open) each.write(event({ index: 0, delta: { content: words } }));
    },
    end: () => void open.at(-1)?.end(last),
    cut: () => void open.at(-1)?.destroy(),
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

type Part = { readonly image_url?: { readonly url: string } };

function imagesIn(body: string): string[] {
  const { messages } = JSON.parse(body) as { messages: { content: string | Part[] }[] };
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return parts.flatMap(({ image_url: image }) => image?.url ?? []);
}
