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
/** One element of an array lies in the range; without it, two elements may each keep one end. */
type InOneElement<Value> = Value extends readonly (infer Item)[] ? { readonly $elemMatch: Range<Item> } : never;
type Range<Value> = Pick<Comparisons<Value>, '$gt' | '$gte' | '$lt' | '$lte'>;
type Condition<Value> = Value | Element<Value> | Comparisons<Element<Value>> | InOneElement<Value> | RegExp;

/** Of a text that lies in a field, such as `files.id`. */
type PathCondition<Row> = { readonly [Path in `${keyof Row & string}.${string}`]?: string | Comparisons<string> };

/** What rows have to be like; an array matches by any of its elements. */
export type Filter<Row> = { readonly [Field in keyof Row]?: Condition<Row[Field]> } & PathCondition<Row> & {
    readonly $or?: readonly Filter<Row>[];
  };

/** Also one that may be missing: it counts from 0 then. */
type NumberField<Row> = { [Field in keyof Row]-?: NonNullable<Row[Field]> extends number ? Field : never }[keyof Row];
type DateField<Row> = { [Field in keyof Row]: Row[Field] extends Date ? Field : never }[keyof Row];
type ArrayField<Row> = {
  [Field in keyof Row]: Row[Field] extends readonly unknown[] ? Field : never;
}[keyof Row];
/** Also one that may be missing: it begins empty then. */
type GrowingField<Row> = {
  [Field in keyof Row]-?: NonNullable<Row[Field]> extends readonly unknown[] ? Field : never;
}[keyof Row];
type Values<Row> = { readonly [Field in Exclude<keyof Row, '_id'>]?: Row[Field] };

/** What changes in a row. */
export type Change<Row> = {
  readonly $set?: Values<Row>;
  readonly $inc?: { readonly [Field in NumberField<Row>]?: number };
  /** The later or larger of both. */
  readonly $max?: { readonly [Field in DateField<Row>]?: Date } & { readonly [Field in NumberField<Row>]?: number };
  /** Adds one element at the end. */
  readonly $push?: { readonly [Field in GrowingField<Row>]?: Element<NonNullable<Row[Field]>> };
  /** Takes all elements out that are like this one. */
  readonly $pull?: { readonly [Field in ArrayField<Row>]?: Element<Row[Field]> };
  /** Only when an upsert makes the row. */
  readonly $setOnInsert?: Partial<Row>;
};

export type Sort<Row> = { readonly [Field in keyof Row]?: 1 | -1 };
