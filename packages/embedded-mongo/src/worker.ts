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

/** Closes the store and leaves nothing that keeps the thread alive. */
async function close(server: DocumentServer | undefined, reply: WorkerReply): Promise<void> {
  const closed = await server?.close().then(() => ({}), describe);
  (workerData as ServerOptions).port.close();
  answer(reply.error ? reply : (closed ?? {}));
  parentPort!.close();
}

let server: DocumentServer | undefined;
try {
  const options = workerData as ServerOptions;
  server = new DocumentServer(options);
  await server.listen(options.socketPath);
  parentPort!.once('message', () => void close(server, {}));
  answer({});
} catch (error) {
  await close(server, describe(error));
}
