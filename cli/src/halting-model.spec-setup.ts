import { isTitleRequest, refuseTitle } from '@parley/testing/model-streams';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenAI-compatible server: answers that halt, by their number, stop after their first word, others come whole. */
export async function startHaltingModel(
  halts: (asked: number) => boolean,
): Promise<{ readonly address: string; close(): void }> {
  const word = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/models'))
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: [{ id: 'm' }] }));
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (isTitleRequest(body)) return refuseTitle(response);
      asked += 1;
      response.setHeader('content-type', 'text/event-stream').write(word('one '));
      if (!halts(asked)) response.end(`${word('two ')}${word('three')}data: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
