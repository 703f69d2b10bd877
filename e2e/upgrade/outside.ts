import { isTitleRequest, refuseTitle, vectorOf } from '@parley/testing/model-streams';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importable } from './processes.ts';

/** The one port that every fixture names: stored providers, webhooks and websites lead to it. Nothing has to listen there. */
const storedPort = 21_731;
export const outsideAddress = `127.0.0.1:${storedPort}`;
export const providerKey = 'sk-upgrade-fixture-7f3a';
/** In a question: the answer begins and goes on only after `release`. */
export const stalling = 'Take your time';
/** Parley ends an answer that has got nothing for a minute, and a check can take longer on a busy machine. */
const thinksEveryMs = 20_000;
/** Begins a question of a line (`lines.ts`): each of its answers has another text. */
export const lineMark = 'Line';

/** A turn of a chat as a model server is sent it. */
export type Turn = { readonly role: string; readonly content: string };
/** What the model server does with a question instead of answering it: refuses it, says nothing, or stops in mid-answer. */
export type Deed = 'refuse' | 'stay-silent' | 'break-off';

export type Outside = {
  /** A process with this hook, which it imports first, reaches this server by the address that fixtures name. */
  readonly hook: string;
  /** Values of `Authorization` that the model server has got. */
  readonly keys: ReadonlySet<string>;
  /** Events that the webhook receiver has got, by type. */
  readonly events: ReadonlyMap<string, number>;
  /** What was sent with each question the last time, but for Parley's own words at the beginning. */
  readonly prompts: ReadonlyMap<string, readonly Turn[]>;
  /** The lines of all texts that got a vector. */
  readonly embedded: ReadonlySet<string>;
  /** What happens to the next questions, one each; those after them are answered. */
  readonly deeds: Deed[];
  /** Requests for vectors get no answer until `release`. */
  holdEmbeddings(): void;
  /** Stalled questions are answered to their end, those to come as well. */
  release(): void;
  close(): void;
};

export const firstWords = 'The tide turns';
export const lastWords = ' at noon and again at midnight.';
/** What the model server answers; of questions that stall only after their release. */
export const answerTo = (question: string): string =>
  question.includes(stalling) ? firstWords + lastWords : `You asked: ${question.slice(0, 60)}`;

const pages: Record<string, string> = {
  '/site/': '<title>Berths</title><h1>Berths</h1><p>Berth nine is closed for dredging.</p><a href="fees.html">Fees</a>',
  '/site/fees.html': '<title>Fees</title><h1>Fees</h1><p>A night in berth four costs eleven crowns.</p>',
};

/** Everything outside of Parley that a fixture knows: a model server, a receiver of webhooks and a web site. */
export async function startOutside(): Promise<Outside> {
  const keys = new Set<string>();
  const events = new Map<string, number>();
  const prompts = new Map<string, readonly Turn[]>();
  const deeds: Deed[] = [];
  const embedded = new Set<string>();
  let areEmbeddingsHeld = false;
  let answers = 0;
  const stalled = new Set<ServerResponse>();
  let isReleased = false;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path.endsWith('/embeddings')) return areEmbeddingsHeld ? undefined : embed(response, body, embedded);
      if (path.endsWith('/models')) return void sendJson(response, { data: [{ id: 'mock-1' }] });
      if (path.startsWith('/hook')) {
        const { type } = JSON.parse(body) as { type: string };
        events.set(type, (events.get(type) ?? 0) + 1);
        return void response.writeHead(204).end();
      }
      if (!path.endsWith('/chat/completions')) return void sendPage(response, pages[path]);
      if (isTitleRequest(body)) return refuseTitle(response);
      keys.add(request.headers.authorization ?? '');
      const turns = turnsIn(body);
      const question = turns.findLast(({ role }) => role === 'user')?.content ?? '';
      prompts.set(question, turns);
      const deed = deeds.shift();
      if (deed === 'refuse') return void response.writeHead(400).end();
      response.setHeader('content-type', 'text/event-stream');
      answers += 1;
      if (deed === 'stay-silent') return response.flushHeaders();
      if (deed === 'break-off') return void response.write(token(`Half of answer ${answers} `));
      if (question.startsWith(lineMark))
        return void response.end(token(`Answer ${answers} to "${question}"`) + lastEvents);
      if (!question.includes(stalling)) return void response.end(token(answerTo(question)) + lastEvents);
      response.write(token(firstWords));
      if (isReleased) return void response.end(token(lastWords) + lastEvents);
      stalled.add(response);
      const thinking = setInterval(() => response.write(thought), thinksEveryMs);
      response.once('close', () => {
        clearInterval(thinking);
        stalled.delete(response);
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    hook: redirectTo((server.address() as AddressInfo).port),
    keys,
    events,
    prompts,
    deeds,
    embedded,
    holdEmbeddings: () => {
      areEmbeddingsHeld = true;
    },
    release: () => {
      isReleased = true;
      areEmbeddingsHeld = false;
      for (const response of stalled) response.end(token(lastWords) + lastEvents);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Several runs on one machine have the same stored address: each process connects to the port of its own run instead. */
const redirectTo = (port: number): string =>
  importable(`import { Socket } from 'node:net';
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  const options = Array.isArray(given[0]) ? given[0][0] : given[0];
  if (Number(options?.port) === ${storedPort}) options.port = ${port};
  return connect.apply(this, given);
};`);

function embed(response: ServerResponse, body: string, embedded: Set<string>): void {
  const { input } = JSON.parse(body) as { input: readonly string[] };
  for (const line of input.flatMap((text) => text.split('\n'))) embedded.add(line);
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  sendJson(response, { object: 'list', data, usage: { prompt_tokens: input.length, total_tokens: input.length } });
}

function turnsIn(body: string): Turn[] {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string | { text: string }[] }[] };
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({ role, content: typeof content === 'string' ? content : (content[0]?.text ?? '') }));
}

const sendJson = (response: ServerResponse, value: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const sendPage = (response: ServerResponse, page: string | undefined) =>
  page === undefined ? response.writeHead(404).end() : response.setHeader('content-type', 'text/html').end(page);
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const token = (text: string): string => event({ id: 'c', choices: [{ index: 0, delta: { content: text } }] });
const thought = event({ id: 'c', choices: [{ index: 0, delta: { reasoning_content: '…' } }] });
const lastEvents =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }) +
  'data: [DONE]\n\n';
