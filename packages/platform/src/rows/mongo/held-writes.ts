import { inParts } from './in-parts.ts';

type Document = Readonly<Record<string, unknown>>;

/** A write of a transaction that is held back to be sent with others. */
export type HeldWrite = {
  readonly database: string;
  readonly collection: string;
  readonly kind: 'insert' | 'update' | 'delete';
  /** Does it alone. */
  readonly command: Document;
  /** The statements as `bulkWrite` takes them. */
  readonly statements: () => readonly Document[];
  readonly comment?: string | undefined;
};

/** Returns the commands for these writes, in order: usually one `bulkWrite`; for a single write, its own command. */
export function commandsOf(held: readonly HeldWrite[], database: string): readonly Document[] {
  const [first, ...others] = held;
  if (first && others.length === 0) return [{ ...first.command, $db: first.database }];
  const placeOf = (write: HeldWrite): string => `${write.database}.${write.collection}`;
  const places = [...new Set(held.map(placeOf))];
  const statements = held.flatMap((write) =>
    write.statements().map((statement) => ({ [write.kind]: places.indexOf(placeOf(write)), ...statement })),
  );
  const rest = { nsInfo: places.map((ns) => ({ ns })), ordered: true, errorsOnly: true, $db: database };
  return inParts(statements).map((ops) => ({ bulkWrite: 1, ops, ...rest }));
}
