import { mongo } from 'mongoose';
import { createRequire } from 'node:module';

const methods = [
  'insertOne',
  'findOne',
  'findOneAndUpdate',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  // Carries `insertMany`, too.
  'bulkWrite',
  'find',
  'aggregate',
  'countDocuments',
] as const;
type Method = (this: unknown, ...given: unknown[]) => unknown;
type Patched = Record<string, Method>;

/** A command of a collection, or the commit of a transaction, whose `what` is `commit`. */
export type Command = { readonly what: string; readonly at: number };

/** Notes the calls of collections and the commits, of all databases, until it is stopped. */
export function watchCommands(): { readonly commands: Command[]; stop(): void } {
  const commands: Command[] = [];
  const undo: (() => void)[] = [];
  const watch = (prototype: Patched, name: string, whatOf: (of: unknown) => string): void => {
    const original = prototype[name]!;
    prototype[name] = function noted(...given) {
      commands.push({ what: whatOf(this), at: performance.now() });
      return original.apply(this, given);
    };
    undo.push(() => (prototype[name] = original));
  };
  for (const name of methods)
    watch(
      mongo.Collection.prototype as unknown as Patched,
      name,
      (collection) => `${(collection as mongo.Collection).collectionName}.${name}`,
    );
  watch(mongo.ClientSession.prototype as unknown as Patched, 'commitTransaction', () => 'commit');
  return { commands, stop: () => undo.forEach((each) => each()) };
}

/**
 * Counts the calls of collections during `act`, of all databases: each takes a round trip to the store, at least. With
 * `collections`, it counts the calls of these alone: what a service asks by the clock meanwhile goes to others.
 */
export async function countCommands(act: () => Promise<unknown>, collections?: readonly string[]): Promise<number> {
  const { commands, stop } = watchCommands();
  try {
    await act();
  } finally {
    stop();
  }
  return commands.filter(({ what }) => {
    const [collection] = what.split('.');
    return what !== 'commit' && (collections?.includes(collection!) ?? true);
  }).length;
}

type WireCommand = Readonly<Record<string, unknown>>;
type SendsCommands = { command(namespace: unknown, command: WireCommand, ...rest: unknown[]): unknown };

/**
 * Counts what the MongoDB driver sends until it is stopped, its own heartbeats too, by command and collection. `watchCommands`
 * notes the calls of collections instead.
 */
export function countWireCommands(): { readonly sent: Map<string, number>; stop(): void } {
  const requireAsMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = requireAsMongoose('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: SendsCommands };
  };
  const sent = new Map<string, number>();
  const { command: send } = Connection.prototype;
  Connection.prototype.command = function (namespace, command, ...rest) {
    const [[name, of] = ['', '']] = Object.entries(command);
    const what = typeof of === 'string' ? `${of}.${name}` : name;
    sent.set(what, (sent.get(what) ?? 0) + 1);
    return send.call(this, namespace, command, ...rest);
  };
  return { sent, stop: () => void (Connection.prototype.command = send) };
}
