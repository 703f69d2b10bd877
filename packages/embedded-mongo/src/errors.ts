import type { Encodable } from './bson/write.ts';

/** MongoDB's error codes that this store answers with. */
export const codes = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  UnknownReplWriteConcern: 79,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  OperationFailed: 96,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  ConflictingOperationInProgress: 117,
  CannotIndexParallelArrays: 171,
  InvalidPipelineOperator: 168,
  TransactionTooOld: 225,
  NotImplemented: 238,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  Location40323: 40323,
  Location40324: 40324,
  Location40415: 40415,
  Location15998: 15998,
  Location15955: 15955,
  Location15947: 15947,
  Location15952: 15952,
  Location40234: 40234,
  Location40238: 40238,
  Location15958: 15958,
  Location31249: 31249,
  Location31250: 31250,
  Location31253: 31253,
  Location31254: 31254,
} as const;

export type CodeName = keyof typeof codes;

const nameByCode = new Map<number, string>(Object.entries(codes).map(([name, code]) => [code, name]));

/** The name MongoDB gives to an error code; unknown codes are called after their number. */
export function codeNameOf(code: number): string {
  return nameByCode.get(code) ?? `Location${code}`;
}

/** An error that is sent to the client as a MongoDB error reply. */
export class StoreError extends Error {
  readonly code: number;
  readonly codeName: string;
  labels: string[] = [];
  /** Further fields of the reply, such as keyPattern of a duplicate key. */
  extra: Record<string, Encodable> = {};

  constructor(code: CodeName | number, message: string) {
    super(message);
    this.code = typeof code === 'number' ? code : codes[code];
    this.codeName = typeof code === 'number' ? codeNameOf(code) : code;
  }
}

const sqliteFull = 13;

/** Whether SQLite found no room for a write. */
export const isDiskFull = (error: unknown): boolean => (error as { errcode?: number }).errcode === sqliteFull;

/** Throws a {@link StoreError}; typed `never` so that it can end an expression. */
export function fail(code: CodeName | number, message: string): never {
  throw new StoreError(code, message);
}
