import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Product = { readonly url: string; readonly setupUrl: string; close(): Promise<void> };

/** The built product as its own process, on a data folder and port of its own. */
export async function startProduct(environment: Record<string, string> = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-e2e-'));
  const cli = join(import.meta.dirname, '../packages/cli/dist/cli.js');
  const child = spawn(process.execPath, [cli, '--data', folder, '--port', '0'], { env: { ...process.env, NODE_OPTIONS: '', ...environment } });
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready at')) resolve(output);
      });
    }
    child.once('exit', (code) => reject(new Error(`the product ended with ${code}: ${output}`)));
  });
  const [url = '', setupUrl = ''] = line.match(/http:\/\/[^\s;]+/g) ?? [];
  const close = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, setupUrl, close };
}

/** A model server that writes a word whenever the test says so. */
export async function startSlowModel(): Promise<{ url: string; address: string; /** False while nobody has asked. */ say(words: string): boolean; end(): void; close(): void }> {
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith('/models')) return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"slow-1"}]}');
    response.setHeader('content-type', 'text/event-stream').flushHeaders();
    open.push(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const event = (choice: unknown) => `data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`;
  return {
    url: `http://${address}/v1`,
    address,
    say: (words) => open.at(-1)?.write(event({ index: 0, delta: { content: words } })) ?? false,
    end: () => void open.at(-1)?.end(`${event({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
