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

/** The scopes whose rows a collection can tell apart. */
export type ScopeFor<Tenant> =
  | PlatformScope
  | (Tenant extends { readonly organisation: string } ? OrganisationScope : never)
  | (Tenant extends { readonly person: string } ? PersonScope : never);

/** A collection of one database. Nothing is read or written but within a scope. */
export class Rows<Definition extends Collection> {
  constructor(
    private readonly definition: Definition,
    private readonly store: RowStore,
    private readonly memory: Memory | null,
  ) {}

  /** The rows that the scope may touch, as part of the transaction if there is one. */
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
   * What `read` finds of the rows of this scope, from memory where this process is alone and has not written to the
   * collection since; in no transaction. What comes is shared: nobody may change it. `what` names what is read.
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
