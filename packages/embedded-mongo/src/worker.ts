import { parentPort, workerData } from 'node:worker_threads';
import { DocumentServer, type ServerOptions } from './engine/server.ts';

/** What the main thread asks of the worker. */
export type WorkerRequest = { id: number; kind: 'backup'; file: string } | { id: number; kind: 'close' };
/** What the worker answers. */
export type WorkerReply = { id: number; error?: { message: string; code: string | undefined } };

function describe(error: unknown): { message: string; code: string | undefined } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { message: error instanceof Error ? error.message : String(error), code };
}

async function answer(server: DocumentServer, request: WorkerRequest): Promise<void> {
  if (request.kind === 'backup') await server.backup(request.file);
  else await server.close();
}

async function start(options: ServerOptions): Promise<void> {
  const server = new DocumentServer(options);
  await server.listen(options.socketPath);
  parentPort!.on('message', (request: WorkerRequest) => {
    answer(server, request).then(
      () => parentPort!.postMessage({ id: request.id } satisfies WorkerReply),
      (error: unknown) => parentPort!.postMessage({ id: request.id, error: describe(error) } satisfies WorkerReply),
    );
  });
}

try {
  await start(workerData as ServerOptions);
  parentPort!.postMessage({ id: 0 } satisfies WorkerReply);
} catch (error) {
  parentPort!.postMessage({ id: 0, error: describe(error) } satisfies WorkerReply);
}
