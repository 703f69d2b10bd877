// Loaded by `--import` into a product of any commit: counts what it sends to the store, and reports it to
// clients of the socket that the bench names.
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const { BENCH_ROOT: root, BENCH_SOCKET: socket } = process.env;
// Threads and processes of the product load this too.
delete process.env['BENCH_SOCKET'];
if (isMainThread && root && socket) {
  const requireAsPlatform = createRequire(join(root, 'packages/platform/package.json'));
  const requireAsMongoose = createRequire(requireAsPlatform.resolve('mongoose'));
  requireAsMongoose('mongodb');
  const { Connection } = requireAsMongoose('mongodb/lib/cmap/connection.js');
  const { command: send } = Connection.prototype;
  const counts = { commands: 0, transactions: 0 };
  const count = (command) => {
    counts.commands += 1;
    if ('commitTransaction' in command) counts.transactions += 1;
  };
  Connection.prototype.command = function (namespace, command, ...rest) {
    count(command);
    return send.call(this, namespace, command, ...rest);
  };
  // The link to the embedded store tells of each command that goes without the driver.
  subscribe('parley:store-command', ({ command }) => count(command));
  createServer((client) => client.end(JSON.stringify(counts)))
    .listen(socket)
    .unref();
}
