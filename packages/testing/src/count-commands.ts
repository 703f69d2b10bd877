import { mongo } from 'mongoose';
import { createRequire } from 'node:module';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Names the channel on which the platform tells of commands that go to the embedded store without the driver. */
const linkedCommands = 'parley:store-command';

/** Maps each method of a collection to the command it sends. */
const methods = {
  insertOne: 'insert',
  find: 'find',
  findOneAndUpdate: 'findAndModify',
  updateOne: 'update',
  updateMany: 'update',
  deleteOne: 'delete',
  deleteMany: 'delete',
  // Carries `insertMany`, too.
  bulkWrite: 'bulkWrite',
  aggregate: 'aggregate',
  countDocuments: 'aggregate',
} as const;
type Method = (this: unknown, ...given: unknown[]) => unknown;
type Patched = Record<string, Method>;
type WireCommand = Readonly<Record<string, unknown>>;

/**
 * `what` names collection and command (`messages.find`), or is `commit` for a transaction's commit, or `bulkWrite` for
 * a write to several collections. `database` is null for the driver's commits, because they name no database.
 */
export type Command = {
  readonly what: string;
  readonly at: number;
  readonly database: string | null;
  readonly collections: readonly string[];
};

/** Notes the commands of collections and the commits, of all databases, until it is stopped. */
export function watchCommands(): { readonly commands: Command[]; stop(): void } {
  const commands: Command[] = [];
  const undo: (() => void)[] = [];
  const note = (database: string | null, what: string, collections: readonly string[] = [what.split('.')[0]!]): void =>
    void commands.push({ what, at: performance.now(), database, collections });
  const watch = (prototype: Patched, name: string, whatOf: (of: unknown, given: unknown[]) => string): void => {
    const original = prototype[name]!;
    prototype[name] = function noted(...given) {
      note(this instanceof mongo.Collection ? this.dbName : null, whatOf(this, given));
      return original.apply(this, given);
    };
    undo.push(() => (prototype[name] = original));
  };
  for (const [name, command] of Object.entries(methods))
    watch(mongo.Collection.prototype as unknown as Patched, name, (collection, [writes]) => {
      const sent = command === 'bulkWrite' && 'insertOne' in (writes as object[])[0]! ? 'insert' : command;
      return `${(collection as mongo.Collection).collectionName}.${sent === 'bulkWrite' ? 'update' : sent}`;
    });
  watch(mongo.ClientSession.prototype as unknown as Patched, 'commitTransaction', () => 'commit');
  const linked = (message: unknown): void => {
    const { command, database } = message as { command: WireCommand; database: string };
    const [name, of] = Object.entries(command)[0]!;
    if (name === 'commitTransaction') note(database, 'commit', []);
    else if (name === 'bulkWrite') note(database, name, collectionsOf(command));
    else if (typeof of === 'string') note(database, `${of}.${name}`);
  };
  subscribe(linkedCommands, linked);
  undo.push(() => void unsubscribe(linkedCommands, linked));
  return { commands, stop: () => undo.forEach((each) => each()) };
}

/**
 * Counts the commands of collections during `act`, of all databases. With
 * `collections`, it counts the calls of these alone: what a service asks by the clock meanwhile goes to others.
 */
export async function countCommands(act: () => Promise<unknown>, collections?: readonly string[]): Promise<number> {
  const { commands, stop } = watchCommands();
  try {
    await act();
  } finally {
    stop();
  }
  const isCounted = ({ what, collections: own }: Command): boolean =>
    what !== 'commit' && (collections === undefined || own.some((name) => collections.includes(name)));
  return commands.filter(isCounted).length;
}

const collectionsOf = ({ nsInfo }: WireCommand): string[] =>
  (nsInfo as { readonly ns: string }[]).map(({ ns }) => ns.slice(ns.indexOf('.') + 1));

type SendsCommands = { command(namespace: unknown, command: WireCommand, ...rest: unknown[]): unknown };

/**
 * Counts what goes to stores until it is stopped, heartbeats of the driver too, by command and collection.
 * `watchCommands` notes the calls of collections instead.
 */
export function countWireCommands(): { readonly sent: Map<string, number>; stop(): void } {
  const requireAsMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = requireAsMongoose('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: SendsCommands };
  };
  const sent = new Map<string, number>();
  const { command: send } = Connection.prototype;
  const count = (command: WireCommand): void => {
    const [[name, of] = ['', '']] = Object.entries(command);
    const what = typeof of === 'string' ? `${of}.${name}` : name;
    sent.set(what, (sent.get(what) ?? 0) + 1);
  };
  const linked = (message: unknown): void => count((message as { command: WireCommand }).command);
  Connection.prototype.command = function (namespace, command, ...rest) {
    count(command);
    return send.call(this, namespace, command, ...rest);
  };
  subscribe(linkedCommands, linked);
  const stop = (): void => {
    Connection.prototype.command = send;
    unsubscribe(linkedCommands, linked);
  };
  return { sent, stop };
}
