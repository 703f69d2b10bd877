import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const tokensEach = 300;
const tokenEveryMs = 12.5;
const numberIn = /question (\d+)/;

export type CountingModel = {
  readonly url: string;
  readonly address: string;
  /** How often each question was asked, by its number. */
  readonly calls: ReadonlyMap<number, number>;
  close(): void;
};

/** The whole answer to a question, which says its number in every word. */
export const answerTo = (question: number): string => tokensTo(question).join('');
const tokensTo = (question: number): string[] =>
  Array.from({ length: tokensEach }, (_unused, at) => `${question}.${at} `);

/** A model server that answers "question N" with 300 tokens, 80 of them a second, and counts who asks it twice. */
export async function startCountingModel(): Promise<CountingModel> {
  const calls = new Map<number, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url?.endsWith('/models'))
        return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"counting-1"}]}');
      if (isTitleRequest(body)) return refuseTitle(response);
      const question = Number(
        numberIn.exec(JSON.stringify((JSON.parse(body) as { messages: unknown[] }).messages.at(-1)))?.[1],
      );
      calls.set(question, (calls.get(question) ?? 0) + 1);
      answer(response, tokensTo(question));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${address}/v1`,
    address,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const event = (choice: unknown): string => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;

function answer(response: ServerResponse, tokens: readonly string[]): void {
  response.setHeader('content-type', 'text/event-stream').flushHeaders();
  const beganAt = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    const due = Math.min(tokens.length, Math.floor((performance.now() - beganAt) / tokenEveryMs));
    for (; said < due; said += 1) response.write(event({ index: 0, delta: { content: tokens[said] } }));
    if (said < tokens.length) return;
    clearInterval(timer);
    response.end(`${event({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
  }, tokenEveryMs);
  response.once('close', () => clearInterval(timer));
}
