import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const slowPageMs = 25_000;
/** Often enough that nothing takes the model for stalled. */
const wordEveryMs = 9_000;

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const models = JSON.stringify({ data: [{ id: 'mock' }] });

/** Answers each question at once with two tokens. */
export const quickModel: RequestListener = (request, response) => {
  request.resume();
  if (request.url?.endsWith('/models')) return void response.setHeader('content-type', 'application/json').end(models);
  response.setHeader('content-type', 'text/event-stream');
  for (const content of ['A short ', 'answer.']) response.write(event({ choices: [{ index: 0, delta: { content } }] }));
  response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  response.end(`${event({ choices: [], usage })}data: [DONE]\n\n`);
};

/** Says one word each nine seconds until its attack is over, then answers at once. */
class SlowModel {
  private readonly open = new Set<ServerResponse>();
  private isOver = false;

  /** Counts the answers that are being written now. */
  get answers(): number {
    return this.open.size;
  }

  readonly listener: RequestListener = (request, response) => {
    if (this.isOver || request.url?.endsWith('/models')) return quickModel(request, response);
    request.resume();
    response.setHeader('content-type', 'text/event-stream');
    const say = (): void => void response.write(event({ choices: [{ index: 0, delta: { content: 'Well, ' } }] }));
    say();
    const saying = setInterval(say, wordEveryMs);
    this.open.add(response);
    response.once('close', () => {
      clearInterval(saying);
      this.open.delete(response);
    });
  };

  end(): void {
    this.isOver = true;
    for (const response of this.open) response.end();
  }
}

const page = (links: number, own: string): string =>
  `<html><head><title>Page</title></head><body><p>Herons stand still.</p>${Array.from(
    { length: links },
    (_unused, at) => `<a href="${own.replace(/\/$/, '')}/${at}">Page ${at}</a>`,
  ).join('')}</body></html>`;
const sendPage = (response: ServerResponse, html: string): void =>
  void response.setHeader('content-type', 'text/html').end(html);

/** Each of its pages comes after 25 s and leads to ten others. */
const slowSite: RequestListener = (request, response) => {
  if (request.url === '/robots.txt') return void response.writeHead(404).end();
  const timer = setTimeout(() => sendPage(response, page(10, request.url ?? '/')), slowPageMs);
  response.once('close', () => clearTimeout(timer));
};
const quickSite: RequestListener = (request, response) => {
  if (request.url === '/robots.txt') return void response.writeHead(404).end();
  sendPage(response, page(0, '/'));
};
/** Takes what is sent and never answers. */
const hanging: RequestListener = (request) => void request.resume();

/** What the attack's organisations, and the other one, point the product at. All on loopback. */
export class Servers {
  /** How many webhooks the other organisation's receiver got. */
  received = 0;
  private readonly slow = new SlowModel();
  private readonly open: Server[] = [];
  private readonly addresses = new Map<string, string>();

  static async start(): Promise<Servers> {
    const servers = new Servers();
    const receiver: RequestListener = (request, response) => {
      request.resume();
      servers.received += 1;
      response.writeHead(204).end();
    };
    const listeners = { quickModel, slowModel: servers.slow.listener, slowSite, quickSite, hanging, receiver };
    for (const [name, listener] of Object.entries(listeners)) {
      const server = createServer(listener);
      servers.open.push(server);
      servers.addresses.set(name, await listen(server));
    }
    return servers;
  }

  /** Counts the answers that the slow model is writing now. */
  get slowAnswers(): number {
    return this.slow.answers;
  }

  /** The attack on answer slots is over: cases that come next need some themselves. */
  endSlowAnswers(): void {
    this.slow.end();
  }

  /** `host:port` of all of them. */
  get all(): string[] {
    return [...this.addresses.values()];
  }

  urlOf(name: 'quickModel' | 'slowModel' | 'slowSite' | 'quickSite' | 'hanging' | 'receiver'): string {
    return `http://${this.addresses.get(name)}`;
  }

  close(): void {
    for (const server of this.open) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/** Resolves with `host:port`. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
