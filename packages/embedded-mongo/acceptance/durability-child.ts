// Writes as fast as it can until it is killed, and prints what was acknowledged: `i <id>` an insert, `u <n>`
// increments, `t <n>` a transfer.
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo } from '../src/index.ts';

const [file, round] = [process.argv[2]!, process.argv[3]!];
const store = await startEmbeddedMongo({ file });
const client = await MongoClient.connect(store.uri('durability'), { maxPoolSize: 20 });
const db = client.db('durability');
const items = db.collection<{ _id: string; room: number; tags: string[]; at: Date }>('items');
const counters = db.collection<{ _id: number; n: number }>('counters');
const accounts = db.collection<{ _id: number; balance: number }>('accounts');
const log = db.collection<{ _id: string; from: number; to: number }>('log');
await items.createIndexes([{ key: { room: 1, at: -1 } }, { key: { tags: 1 } }]);
if ((await accounts.countDocuments()) === 0)
  await accounts.insertMany(Array.from({ length: 20 }, (_, id) => ({ _id: id, balance: 1000 })));

const acknowledge = (line: string): boolean => process.stdout.write(`${line}\n`);

async function insertAll(writer: number): Promise<never> {
  for (let at = 0; ; at++) {
    const id = `${round}-${writer}-${at}`;
    await items.insertOne({ _id: id, room: at % 7, tags: [`t${at % 5}`, `w${writer}`], at: new Date(at) });
    acknowledge(`i ${id}`);
    if (at % 10 === 9) await items.updateOne({ _id: id }, { $push: { tags: 'late' }, $set: { room: 99 } });
  }
}

async function increment(writer: number): Promise<never> {
  for (;;) {
    await counters.updateOne({ _id: writer }, { $inc: { n: 1 } }, { upsert: true });
    acknowledge(`u ${writer}`);
  }
}

async function transfer(writer: number): Promise<never> {
  for (let at = 0; ; at++) {
    const [from, to] = [(at * 7 + writer) % 20, (at * 3 + writer * 5) % 20];
    const id = `${round}-${writer}-${at}`;
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts.updateOne({ _id: from }, { $inc: { balance: -1 } }, { session });
        await accounts.updateOne({ _id: to }, { $inc: { balance: 1 } }, { session });
        await log.insertOne({ _id: id, from, to }, { session });
      }),
    );
    acknowledge(`t ${id}`);
  }
}

acknowledge('ready');
await Promise.all([...[0, 1, 2, 3].map(insertAll), ...[0, 1].map(increment), ...[0, 1].map(transfer)]);
