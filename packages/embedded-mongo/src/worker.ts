import { parentPort, workerData } from 'node:worker_threads';
import { DocumentServer, type ServerOptions } from './engine/server.ts';

/** What the worker tells the main thread: that it listens, that it has closed, or what went wrong. */
export type WorkerReply = { error?: { message: string; code: string | undefined } };

function describe(error: unknown): WorkerReply {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { error: { message: error instanceof Error ? error.message : String(error), code } };
}

function answer(reply: WorkerReply): void {
  parentPort!.postMessage(reply);
}

try {
  const options = workerData as ServerOptions;
  const server = new DocumentServer(options);
  await server.listen(options.socketPath);
  parentPort!.once('message', () => {
    server.close().then(
      () => answer({}),
      (error: unknown) => answer(describe(error)),
    ).finally(() => parentPort!.close());
  });
  answer({});
} catch (error) {
  answer(describe(error));
}
