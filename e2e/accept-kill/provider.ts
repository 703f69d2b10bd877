import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Evidence } from './evidence.ts';
import { answerTokens, readQuestion, tokenEveryMs } from './world.ts';

type Call = {
  readonly serial: number;
  readonly life: number;
  readonly tokens: readonly string[];
  readonly response: ServerResponse;
  written: number;
};

const token = (text: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
const lastEvents = (outputTokens: number): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: outputTokens, total_tokens: 5 + outputTokens } })}\n\ndata: [DONE]\n\n`;

/** An OpenAI-compatible server. It sees what no client can: two workers that write one answer at the same time. */
export class MockProvider {
  /** Which process of the product is calling. */
  life = 0;
  calls = 0;
  private readonly open = new Set<Call>();
  private readonly server: Server;
  private readonly evidence: Evidence;
  private readonly ticking: NodeJS.Timeout;

  constructor(evidence: Evidence) {
    this.evidence = evidence;
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.url?.endsWith('/models'))
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'mock' }] }));
        else if (isTitleRequest(body)) refuseTitle(response);
        else this.answer(body, response);
      });
    });
    let due = performance.now();
    this.ticking = setInterval(() => {
      for (const now = performance.now(); due <= now; due += tokenEveryMs)
        for (const call of this.open) this.writeNext(call);
    }, tokenEveryMs);
  }

  /** host:port, once it listens. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this.address;
  }

  close(): void {
    clearInterval(this.ticking);
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(body: string, response: ServerResponse): void {
    const { messages } = JSON.parse(body) as { messages: { content: string | { text: string }[] }[] };
    const asked = messages.at(-1)?.content ?? '';
    const question = readQuestion(typeof asked === 'string' ? asked : (asked[0]?.text ?? ''));
    if (!question) return void response.writeHead(400).end();
    this.calls += 1;
    for (const other of this.open) {
      if (other.serial === question.serial && other.life === this.life)
        this.evidence.note('doubled', `q${question.serial} is answered by two workers at the same time`);
    }
    const call: Call = {
      serial: question.serial,
      life: this.life,
      tokens: answerTokens({ ...question, call: this.calls }),
      response,
      written: 0,
    };
    this.open.add(call);
    response.on('close', () => this.open.delete(call));
    response.setHeader('content-type', 'text/event-stream');
    this.writeNext(call);
  }

  private writeNext(call: Call): void {
    const next = call.tokens[call.written];
    call.written += 1;
    if (next !== undefined) return void call.response.write(token(next));
    this.open.delete(call);
    call.response.end(lastEvents(call.tokens.length));
  }
}
