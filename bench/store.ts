import { startEmbeddedMongo } from '@parley/embedded-mongo';
import mongoose from 'mongoose';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { percentile } from './product.ts';

type Operation = (at: number) => Promise<unknown>;
const calls = 600;

async function time(callers: number, operation: Operation): Promise<{ perSecond: number; p50: number; p99: number }> {
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < calls) {
        const at = next;
        next += 1;
        const begun = performance.now();
        await operation(at);
        times.push(performance.now() - begun);
      }
    }),
  );
  return {
    perSecond: (calls / (performance.now() - startedAt)) * 1_000,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

/** The store's main operations through mongoose, one and sixteen callers, beside one SQLite commit as the floor. */
export async function benchStore(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-store-'));
  const store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
  const connection = await mongoose
    .createConnection(store.uri('bench'), { writeConcern: { w: 'majority', journal: true }, maxPoolSize: 32 })
    .asPromise();
  const schema = new mongoose.Schema(
    { _id: String, room: String, at: Date, text: String, n: Number },
    { versionKey: false },
  );
  schema.index({ room: 1, at: -1 });
  const Message = connection.model('Message', schema);
  await Message.createCollection();
  await Message.createIndexes();
  const text = 'words '.repeat(50);
  await Message.insertMany(
    Array.from({ length: 20_000 }, (_unused, at) => ({
      _id: `m${at}`,
      room: `r${at % 200}`,
      at: new Date(at),
      text,
      n: 0,
    })),
  );
  const operations: Record<string, Operation> = {
    insertOne: (at) => Message.create([{ _id: `i${at}-${Math.random()}`, room: 'x', at: new Date(), text, n: 0 }]),
    findById: (at) => Message.findById(`m${at}`).lean(),
    'last 50 of a room': (at) =>
      Message.find({ room: `r${at % 200}` })
        .sort({ at: -1 })
        .limit(50)
        .lean(),
    'updateOne $inc': (at) => Message.updateOne({ _id: `m${at}` }, { $inc: { n: 1 } }),
    'count on an index': (at) => Message.countDocuments({ room: `r${at % 200}` }),
    'transaction of 2 writes': (at) =>
      connection.transaction(async (session) => {
        await Message.updateOne({ _id: `m${at + 5_000}` }, { $inc: { n: 1 } }, { session });
        await Message.create([{ _id: `t${at}-${Math.random()}`, room: 'y', at: new Date(), text, n: 0 }], { session });
      }),
  };
  process.stdout.write(
    `\nembedded-mongo, 20,000 documents; one durable SQLite commit (floor): ${sqliteCommit(folder).toFixed(2)} ms\n`,
  );
  for (const [name, operation] of Object.entries(operations)) {
    const [one, many] = [await time(1, operation), await time(16, operation)];
    const show = ({ perSecond, p50, p99 }: typeof one) =>
      `${Math.round(perSecond).toLocaleString('en')}/s, p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(2)} ms`;
    process.stdout.write(`${name.padEnd(24)} 1 caller: ${show(one).padEnd(42)} 16 callers: ${show(many)}\n`);
  }
  await connection.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

function sqliteCommit(folder: string): number {
  const database = new DatabaseSync(join(folder, 'floor.sqlite'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t(a, b)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  const times = Array.from({ length: 200 }, (_unused, at) => {
    const startedAt = performance.now();
    insert.run(at, 'x'.repeat(300));
    return performance.now() - startedAt;
  });
  database.close();
  return percentile(times, 0.5);
}
