import { mongo } from 'mongoose';

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
