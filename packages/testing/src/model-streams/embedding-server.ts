import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words that mean the same: what no list of words knows, and a model of meanings does. */
const meanings = [
  ['car', 'cars', 'automobile', 'automobiles', 'vehicle'],
  ['doctor', 'doctors', 'physician', 'physicians'],
  ['holiday', 'holidays', 'vacation', 'leave'],
  ['salary', 'wage', 'wages', 'remuneration'],
];
const dimensions = 64;
const firstOther = 16;
/** So much more than any other word tells one of these. */
const meaningWeight = 4;

/** The vector that the stand-in gives: its first dimensions are meanings, the others words that it knows nothing of. */
export function vectorOf(text: string, size = dimensions): number[] {
  const vector = Array.from({ length: size }, () => 0);
  const words = text.toLowerCase().match(/\p{L}{4,}|car/gu) ?? [];
  for (const word of new Set(words)) {
    const meaning = meanings.findIndex((same) => same.includes(word));
    if (meaning >= 0) vector[meaning] = meaningWeight;
    else vector[firstOther + (hashOf(word) % (size - firstOther))]! += 1;
  }
  return vector;
}

const hashOf = (word: string): number => Buffer.from(word).reduce((sum, byte) => (sum * 31 + byte) % 65_521, 7);

type Asked = { readonly model: string; readonly input: readonly string[] };
export type EmbeddingServer = {
  readonly url: string;
  /** As it is allowed to be called. */
  readonly address: string;
  /** The calls for vectors so far. */
  readonly asked: Asked[];
  /** What it does instead of an answer; null answers. */
  act: ((response: ServerResponse, asked: Asked) => void) | null;
  /** The tokens that it says each text has. */
  readonly tokensPerText: number;
  /** How many dimensions its vectors have. */
  size: number;
  close(): void;
};

/**
 * A stand-in for a model server's `POST /v1/embeddings` in OpenAI's published format, on this machine. Nothing is learnt
 * from it of how well real models find.
 */
export async function anEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    void readJson(request).then((body) => answer(request, response, body as Asked));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: EmbeddingServer = {
    url: `http://${address}/v1`,
    address,
    asked: [],
    act: null,
    tokensPerText: 10,
    size: dimensions,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  function answer(request: IncomingMessage, response: ServerResponse, asked: Asked): void {
    if (request.url === '/v1/models') return send(response, { data: [{ id: 'chat-1' }, { id: 'embed-1' }] });
    if (request.url !== '/v1/embeddings') return void response.writeHead(404).end();
    running.asked.push(asked);
    if (running.act) return running.act(response, asked);
    send(response, {
      object: 'list',
      model: asked.model,
      data: asked.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, running.size) })),
      usage: { prompt_tokens: asked.input.length * 10, total_tokens: asked.input.length * 10 },
    });
  }
  return running;
}

const send = (response: ServerResponse, body: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  return parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString()) as unknown);
}
