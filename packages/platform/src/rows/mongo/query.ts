type Element<Value> = Value extends readonly (infer Item)[] ? Item : Value;
type Comparisons<Value> = {
  readonly $ne?: Value | null;
  readonly $gt?: Value;
  readonly $gte?: Value;
  readonly $lt?: Value;
  readonly $lte?: Value;
  readonly $in?: readonly Value[];
  readonly $nin?: readonly Value[];
  readonly $all?: readonly Value[];
};
/** Requires one element of an array to be in the range; without this, two elements could each match one end. */
type InOneElement<Value> = Value extends readonly (infer Item)[] ? { readonly $elemMatch: Range<Item> } : never;
type Range<Value> = Pick<Comparisons<Value>, '$gt' | '$gte' | '$lt' | '$lte'>;
type Condition<Value> = Value | Element<Value> | Comparisons<Element<Value>> | InOneElement<Value> | RegExp;

/** A condition on a text in a field, such as `files.id`. */
type PathCondition<Row> = { readonly [Path in `${keyof Row & string}.${string}`]?: string | Comparisons<string> };

/** The conditions of rows. An array matches by any of its elements. */
export type Filter<Row> = { readonly [Field in keyof Row]?: Condition<Row[Field]> } & PathCondition<Row> & {
    readonly $or?: readonly Filter<Row>[];
  };

/** Names number fields, including fields that can be missing, which count from 0. */
type NumberField<Row> = { [Field in keyof Row]-?: NonNullable<Row[Field]> extends number ? Field : never }[keyof Row];
type DateField<Row> = { [Field in keyof Row]: Row[Field] extends Date ? Field : never }[keyof Row];
type ArrayField<Row> = {
  [Field in keyof Row]: Row[Field] extends readonly unknown[] ? Field : never;
}[keyof Row];
/** Names array fields, including fields that can be missing, which begin empty. */
type GrowingField<Row> = {
  [Field in keyof Row]-?: NonNullable<Row[Field]> extends readonly unknown[] ? Field : never;
}[keyof Row];
type Values<Row> = { readonly [Field in Exclude<keyof Row, '_id'>]?: Row[Field] };

/** The changes of a row. */
export type Change<Row> = {
  readonly $set?: Values<Row>;
  readonly $inc?: { readonly [Field in NumberField<Row>]?: number };
  /** Sets the later or larger of the stored and the given value. */
  readonly $max?: { readonly [Field in DateField<Row>]?: Date } & { readonly [Field in NumberField<Row>]?: number };
  /** Adds one element at the end. */
  readonly $push?: { readonly [Field in GrowingField<Row>]?: Element<NonNullable<Row[Field]>> };
  /** Removes all elements that match. */
  readonly $pull?: { readonly [Field in ArrayField<Row>]?: Element<Row[Field]> };
  /** Applies only if an upsert creates the row. */
  readonly $setOnInsert?: Partial<Row>;
};

export type Sort<Row> = { readonly [Field in keyof Row]?: 1 | -1 };
