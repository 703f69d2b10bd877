import { mongo } from 'mongoose';

const methods = [
  'insertOne',
  'insertMany',
  'findOne',
  'findOneAndUpdate',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
  'find',
  'aggregate',
  'countDocuments',
] as const;
type Method = (this: unknown, ...given: unknown[]) => unknown;

/** Counts the calls of collections during `act`, of all databases: each takes a round trip to the store, at least. */
export async function countCommands(act: () => Promise<unknown>): Promise<number> {
  const prototype = mongo.Collection.prototype as unknown as Record<string, Method>;
  const originals = methods.map((name) => [name, prototype[name]!] as const);
  let count = 0;
  for (const [name, original] of originals)
    prototype[name] = function counted(...given) {
      count += 1;
      return original.apply(this, given);
    };
  try {
    await act();
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
  }
  return count;
}
