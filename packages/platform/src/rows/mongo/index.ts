export type { Memory } from './memory.ts';
export { binary, toBinary, type Binary } from './binary.ts';
export { collection, type Collection, type ReadOf, type RowOf } from './collection.ts';
export { eachRow } from './each-row.ts';
export { isDuplicateKey } from './duplicate-key.ts';
export * from './mongo.ts';
export type { Page, PageQuery } from './page.ts';
export type { Change, Filter, Sort } from './query.ts';
export type { Rows } from './rows.ts';
export type { ScopedRows } from './scoped-rows.ts';
export * from './store-away.ts';
export {
  jobScope,
  type OrganisationScope,
  type PersonScope,
  type PlatformScope,
  type TenantScope,
} from './tenant-scope.ts';
export type { Transaction } from './transaction.ts';
export { freeingSpace } from './freeing.ts';
