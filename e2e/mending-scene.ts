import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Served = { readonly address: string; close(): void };

async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const page = (title: string, text: string, links = ''): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links}</main>`;
const pages: Readonly<Record<string, string>> = {
  '/': page(
    'Lindmoor wiki',
    'What people of Lindmoor ask most.',
    '<a href="/leave.html">Leave</a> <a href="/travel.html">Travel</a>',
  ),
  '/leave.html': page(
    'Paid leave',
    'Every employee has 28 days of paid leave a year. Unused leave of up to 5 days may be carried over until 31 March.',
  ),
  '/travel.html': page('Travel', 'Tickets are paid back within two weeks after the journey.'),
};

/** A web site of three pages, two of them linked by the first. */
export const startSite = (): Promise<Served> =>
  serve((request, response) => {
    const body = pages[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body);
  });

export type ObedientModel = Served & {
  /** What it was told before each conversation: instructions and passages. */
  readonly told: readonly string[];
};
type Asked = { readonly messages: readonly { readonly role: string; readonly content: string }[] };

/** A model server that answers from the passages it is given, and says what may be carried over only if it is told to. */
export async function startObedientModel(): Promise<ObedientModel> {
  const told: string[] = [];
  const served = await serve((request, response) => {
    if (request.url?.endsWith('/models')) {
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"plain-1"}]}');
      return;
    }
    void json(request).then((body) => {
      if (isTitleRequest(JSON.stringify(body))) return refuseTitle(response);
      const system = (body as Asked).messages.find(({ role }) => role === 'system')?.content ?? '';
      told.push(system);
      const event = (choice: unknown) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;
      response.setHeader('content-type', 'text/event-stream').write(event({ delta: { content: answerTo(system) } }));
      response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
    });
  });
  return { ...served, told };
}

function answerTo(system: string): string {
  const [manner = '', passages = ''] = system.split('<passages>');
  const passage = passages.split(/\n\n(?=\[\d+\])/).find((text) => text.includes('28 days'));
  const number = /\[(\d+)\]/.exec(passage ?? '')?.[1];
  if (number === undefined) return 'I know nothing of that.';
  const days = `You have 28 days a year [${number}].`;
  return manner.includes('carried over') ? `${days} Up to 5 of them stay until 31 March [${number}].` : days;
}
