// Loaded into the product by a bench of memory: what is left after SIGUSR2 is what the process keeps, its threads included.
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import workerThreads from 'node:worker_threads';

const { BroadcastChannel, isMainThread, Worker } = workerThreads;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const threads = new BroadcastChannel('collect garbage');
threads.onmessage = () => collect();
threads.unref();

if (isMainThread) {
  workerThreads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, { ...options, execArgv: [...(options?.execArgv ?? []), '--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    collect();
    threads.postMessage(null);
  });
}
