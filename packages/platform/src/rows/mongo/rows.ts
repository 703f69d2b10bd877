import type { Collection, ReadOf, RowOf, TenantFields } from './collection.ts';
import type { Memory } from './memory.ts';
import type { RowStore } from './row-store.ts';
import { ScopedRows } from './scoped-rows.ts';
import {
  assertMade,
  type OrganisationScope,
  type PersonScope,
  type PlatformScope,
  type TenantScope,
} from './tenant-scope.ts';
import type { Transaction } from './transaction.ts';

/** The scopes that a collection accepts, by its tenant fields. */
export type ScopeFor<Tenant> =
  | PlatformScope
  | (Tenant extends { readonly organisation: string } ? OrganisationScope : never)
  | (Tenant extends { readonly person: string } ? PersonScope : never);

/** A collection of one database. All reads and writes are within a scope. */
export class Rows<Definition extends Collection> {
  constructor(
    private readonly definition: Definition,
    private readonly store: RowStore,
    private readonly memory: Memory | null,
  ) {}

  /** Returns the rows of a scope, as part of the transaction if there is one. */
  within(
    scope: ScopeFor<Definition['tenant']>,
    tx?: Pick<Transaction, 'session'>,
  ): ScopedRows<RowOf<Definition>, ReadOf<Definition>> {
    return new ScopedRows({
      definition: this.definition,
      store: this.store,
      own: ownFields(this.definition, scope),
      session: tx?.session,
      memory: this.memory,
    });
  }

  /**
   * Returns the result of `read` for the rows of this scope. Cached if this process runs alone and hasn't written to
   * the collection since; never in transactions. The result is shared: callers must not change it. `what` names the
   * result.
   */
  recall<Scope extends ScopeFor<Definition['tenant']>, Result>(
    scope: Scope,
    what: string,
    read: (rows: ScopedRows<RowOf<Definition>, ReadOf<Definition>>) => Promise<Result>,
  ): Promise<Result> {
    const act = (): Promise<Result> => read(this.within(scope));
    if (!this.memory) return act();
    return this.memory.read(JSON.stringify([ownFields(this.definition, scope), what]), act);
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
