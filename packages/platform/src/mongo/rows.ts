import type { mongo } from 'mongoose';
import type { Collection, ReadOf, RowOf, TenantFields } from './collection.ts';
import { ScopedRows } from './scoped-rows.ts';
import {
  assertMade,
  type OrganisationScope,
  type PersonScope,
  type PlatformScope,
  type TenantScope,
} from './tenant-scope.ts';
import type { Transaction } from './transaction.ts';

/** The scopes whose rows a collection can tell apart. */
export type ScopeFor<Tenant> =
  | PlatformScope
  | (Tenant extends { readonly organisation: string } ? OrganisationScope : never)
  | (Tenant extends { readonly person: string } ? PersonScope : never);

/** A collection of one database. Nothing is read or written but within a scope. */
export class Rows<Definition extends Collection> {
  constructor(
    private readonly definition: Definition,
    private readonly rows: mongo.Collection,
  ) {}

  /** The rows that the scope may touch, as part of the transaction if there is one. */
  within(scope: ScopeFor<Definition['tenant']>, tx?: Transaction): ScopedRows<RowOf<Definition>, ReadOf<Definition>> {
    return new ScopedRows({
      definition: this.definition,
      rows: this.rows as never,
      own: ownFields(this.definition, scope),
      session: tx?.session,
    });
  }
}

function ownFields({ name, tenant }: Collection, scope: TenantScope): Readonly<Record<string, unknown>> {
  assertMade(scope);
  if ('platform' in scope) return {};
  const fields: Exclude<TenantFields, 'platform'> | Record<string, never> = tenant === 'platform' ? {} : tenant;
  const [field, value] = 'orgId' in scope ? [fields['organisation'], scope.orgId] : [fields['person'], scope.userId];
  if (field === undefined) throw new Error(`No field of ${name} tells which rows this scope may touch.`);
  return { [field]: value };
}
