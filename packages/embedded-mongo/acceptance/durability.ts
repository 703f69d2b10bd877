import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongo } from '../src/index.ts';
import { recount } from './recount.ts';

export type DurabilityResult = { kills: number; acknowledged: number; problems: string[] };

type Acknowledged = { inserts: Set<string>; transfers: Set<string>; increments: Map<number, number>; total: number };

const child = fileURLToPath(new URL('./durability-child.ts', import.meta.url));

/** Starts the writer, and kills it once it has acknowledged enough and a random time has passed. */
function writeAndKill(file: string, round: number, acknowledged: Acknowledged): Promise<void> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [child, file, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const wanted = 1300 + Math.floor(Math.random() * 600);
    let count = 0;
    createInterface({ input: writer.stdout }).on('line', (line) => {
      const [kind, id] = line.split(' ') as [string, string | undefined];
      if (id === undefined) return;
      if (kind === 'i') acknowledged.inserts.add(id);
      else if (kind === 't') acknowledged.transfers.add(id);
      else acknowledged.increments.set(Number(id), (acknowledged.increments.get(Number(id)) ?? 0) + 1);
      acknowledged.total++;
      if (++count === wanted) setTimeout(() => writer.kill('SIGKILL'), Math.random() * 20);
    });
    writer.on('error', reject);
    writer.on('close', (_code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error(`the writer ended by itself in round ${round}`)),
    );
  });
}

async function missing(db: Db, name: string, ids: Set<string>): Promise<string[]> {
  const there = new Set<string>();
  for await (const doc of db.collection<{ _id: string }>(name).find({}, { projection: { _id: 1 } })) there.add(doc._id);
  return [...ids]
    .filter((id) => !there.has(id))
    .slice(0, 5)
    .map((id) => `${name} ${id} was acknowledged and is lost`);
}

/** Every acknowledged write must be there, and every transfer whole. */
async function checkContent(file: string, acknowledged: Acknowledged): Promise<string[]> {
  const store = await startEmbeddedMongo({ file });
  const client = await MongoClient.connect(store.uri('durability'));
  try {
    const db = client.db('durability');
    const problems = [
      ...(await missing(db, 'items', acknowledged.inserts)),
      ...(await missing(db, 'log', acknowledged.transfers)),
    ];
    const accounts = await db.collection<{ _id: number; balance: number }>('accounts').find().toArray();
    const balances = new Map(Array.from({ length: 20 }, (_, id) => [id, 1000]));
    for await (const { from, to } of db.collection('log').find()) {
      balances.set(from as number, balances.get(from as number)! - 1);
      balances.set(to as number, balances.get(to as number)! + 1);
    }
    for (const { _id, balance } of accounts)
      if (balance !== balances.get(_id))
        problems.push(`account ${_id} has ${balance}, its log says ${balances.get(_id)}: a torn transfer`);
    for (const [id, count] of acknowledged.increments) {
      const counter = await db.collection<{ _id: number; n: number }>('counters').findOne({ _id: id });
      if ((counter?.n ?? 0) < count)
        problems.push(`counter ${id} has ${counter?.n}, ${count} increments were acknowledged`);
    }
    return problems;
  } finally {
    await client.close();
    await store.close();
  }
}

/** Kills a writing process again and again; nothing acknowledged may be lost or torn. */
export async function checkDurability(options: { kills: number; atLeast: number }): Promise<DurabilityResult> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-'));
  const file = join(folder, 'store.db');
  const acknowledged: Acknowledged = { inserts: new Set(), transfers: new Set(), increments: new Map(), total: 0 };
  const problems: string[] = [];
  let kills = 0;
  try {
    while (kills < options.kills || acknowledged.total < options.atLeast) {
      await writeAndKill(file, kills, acknowledged);
      kills++;
      problems.push(...(await checkContent(file, acknowledged)), ...recount(file).problems);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { kills, acknowledged: acknowledged.total, problems };
}
