// What 500 clients that never read cost the one-process edition in memory: event streams, downloads, completions and
// sockets in conversations whose answers are written, over as many organisations as it takes to stay under their limits.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unreadBudgets } from './budgets.ts';
import { inFolder, startProduct, type EmbeddedProduct } from './embedded.ts';
import { startFloors } from './floors.ts';
import { wait } from './product.ts';
import { Report } from './report.ts';
import type { SilentClient } from './silent-clients.ts';
import { UnreadPerson } from './unread-person.ts';

const owners = 10;
const ofEachKind = 125;
/** As long as the answers take that the sockets would hear. */
const holdMs = 50_000;
/** For what the ended answers left behind: it is no backlog of the clients. */
const settleMs = 20_000;
/** Connections between parts stay open for a minute. */
const releaseMs = 75_000;
/**
 * Twice what is in use. Without a bound the heap grows to 500 MB of garbage before V8 collects it, which it never gives
 * back to the system: what is measured then is by how much one peak was higher than the other.
 */
const heapMb = 300;
const eventEveryMs = 500;
const kinds = ['event streams', 'downloads', 'completions', 'sockets'] as const;

export async function benchUnread(interruption: Promise<never>): Promise<void> {
  await inFolder(async (folder) => {
    const floors = await startFloors();
    const environment = {
      PARLEY_OUTBOUND_ALLOW: floors.modelAddress,
      PARLEY_TRUSTED_PROXY: '127.0.0.1',
      NODE_OPTIONS: `--max-old-space-size=${heapMb} --import ${pathToFileURL(join(import.meta.dirname, 'collect-garbage.mjs')).href}`,
    };
    const product = await startProduct({ folder, environment });
    try {
      await Promise.race([measure(product, floors.modelUrl), interruption]);
    } finally {
      await product.close();
      await floors.close();
    }
  });
}

async function measure(product: EmbeddedProduct, modelUrl: string): Promise<void> {
  const report = new Report(unreadBudgets);
  const people: UnreadPerson[] = [];
  for (let made = 0; made < owners; made += 1) people.push(await UnreadPerson.found(product.url, modelUrl));
  let at = 0;
  const events = setInterval(() => void people[(at += 1) % owners]!.makeEvent().catch(() => undefined), eventEveryMs);
  // What the same work costs with clients that read is no part of the result.
  const readers = new Clients(product, people, { read: true });
  await readers.openAll(report);
  report.add('RSS with 500 clients that read', await leastRss(product));
  await readers.leave();
  const [before, filesBefore] = [await leastRss(product), openFiles(product.pid)];
  report.add('RSS before', before);
  const silent = new Clients(product, people, { read: false });
  await silent.openAll(report);
  await wait(settleMs);
  report.add('RSS that 500 clients add which never read', (await leastRss(product)) - before);
  await silent.leave();
  clearInterval(events);
  report.add('RSS that is left when they are gone', (await leastRss(product)) - before);
  report.add('open files that are left', openFiles(product.pid) - filesBefore);
  report.print();
  report.write('latest-unread.json');
}

/** All of them, kind by kind. */
class Clients {
  private readonly opened: SilentClient[] = [];

  constructor(
    private readonly product: EmbeddedProduct,
    private readonly people: readonly UnreadPerson[],
    private readonly how: { readonly read: boolean },
  ) {}

  async openAll(report: Report): Promise<void> {
    for (const kind of kinds) {
      const before = await leastRss(this.product);
      const some = await openSome(kind, this.people);
      if (this.how.read) for (const client of some) client.read();
      this.opened.push(...some);
      await wait(kind === 'sockets' ? holdMs : holdMs / 3);
      const more = (await leastRss(this.product)) - before;
      const isOpen = (clients: readonly SilentClient[]) => clients.filter((client) => client.isOpen).length;
      const open = `${isOpen(some)} of ${some.length}, ${isOpen(this.opened)} of all`;
      report.say(`${kind}, ${this.how.read ? 'read' : 'never read'}: ${more.toFixed(1)} MB more; ${open} are open`);
    }
  }

  async leave(): Promise<void> {
    for (const client of this.opened) client.leave();
    await wait(releaseMs);
  }
}

async function openSome(kind: (typeof kinds)[number], people: readonly UnreadPerson[]): Promise<SilentClient[]> {
  const answers = kind === 'sockets' ? await Promise.all(people.map((person) => person.askLong())) : [];
  return Array.from({ length: ofEachKind }, (_unused, at) => {
    const person = people[at % owners]!;
    switch (kind) {
      case 'sockets':
        return person.socket(answers[at % owners]!);
      case 'event streams':
        return person.events();
      case 'completions':
        return person.completion();
      case 'downloads':
        return person.download(Math.floor(at / owners));
    }
  });
}

/** In MB, without garbage: how much of that a process has depends on when it last looked. The least of some seconds. */
async function leastRss(product: EmbeddedProduct): Promise<number> {
  product.child.kill('SIGUSR2');
  await wait(1_000);
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < 20; sample += 1) {
    least = Math.min(least, product.rssMb());
    await wait(250);
  }
  return least;
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
