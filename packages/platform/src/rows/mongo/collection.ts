import { Schema } from 'mongoose';
import { z } from 'zod';

/** The fields of a row. Optional ones are `nullable`, so that each row has each field. */
export type RowShape = Readonly<Record<string, z.ZodType>> & { readonly _id: z.ZodType };

/**
 * The fields that name a row's owner: an organisation, a person, or both. `platform`: only named jobs and platform
 * admins have access to the row.
 */
export type TenantFields<Field extends PropertyKey = string> =
  | { readonly organisation: Field; readonly person?: Field }
  | { readonly organisation?: Field; readonly person: Field }
  | 'platform';

type FieldOf<Shape> = Extract<keyof Shape, string>;
/** A field of a row, or a field inside it: `files.id`. */
type PathOf<Field extends PropertyKey> = Field | `${Extract<Field, string>}.${string}`;
type IndexKeys<Field extends PropertyKey> = { readonly [Name in PathOf<Field>]?: 1 | -1 };
export type IndexOptions = {
  readonly unique?: true;
  readonly sparse?: true;
  readonly partialFilterExpression?: Readonly<Record<string, unknown>>;
  /** Deletes a row this long after the date in the field. */
  readonly expireAfterSeconds?: number;
};
type Index<Field extends PropertyKey> = IndexKeys<Field> | readonly [IndexKeys<Field>, IndexOptions];

/** Defines a collection: the type of its rows with their check, their owner, and the indexes. */
export type Collection<
  Shape extends RowShape = RowShape,
  Tenant extends TenantFields = TenantFields,
  Key extends string = string,
> = {
  readonly name: string;
  readonly row: z.ZodObject<Shape>;
  readonly tenant: Tenant;
  /** Fields that serve to find rows, such as search keys. A read leaves them out unless its `fields` name them. */
  readonly keys: readonly Key[];
  /** Used by the migration, which creates the collection and its indexes; reads and writes don't use it. */
  readonly schema: Schema;
};

/** `RowOf<typeof noteRows>`: a row as it is written. */
export type RowOf<Definition extends { readonly row: z.ZodType }> = z.output<Definition['row']>;
type KeyOf<Definition extends { readonly keys: readonly string[] }> = Definition['keys'][number];
/** `ReadOf<typeof noteRows>`: a row as it is read, without its keys. */
export type ReadOf<Definition extends Pick<Collection, 'row' | 'keys'>> = [KeyOf<Definition>] extends [never]
  ? RowOf<Definition>
  : Omit<RowOf<Definition>, KeyOf<Definition>>;

/** Defines a collection; `mongo.rows(…)` opens it. */
export function collection<
  Shape extends RowShape,
  const Tenant extends TenantFields<FieldOf<Shape>>,
  const Key extends FieldOf<Shape> = never,
>(
  name: string,
  shape: Shape,
  {
    tenant,
    indexes = [],
    keys = [],
  }: { readonly tenant: Tenant; readonly indexes?: readonly Index<FieldOf<Shape>>[]; readonly keys?: readonly Key[] },
): Collection<Shape, Tenant, Key> {
  const schema = new Schema({ _id: String }, { collection: name, versionKey: false });
  for (const index of indexes) {
    const [keys, options] = Array.isArray(index) ? index : [index, {}];
    schema.index({ ...keys }, { ...options });
  }
  return { name, row: z.strictObject(shape) as z.ZodObject<Shape>, tenant, keys, schema };
}
