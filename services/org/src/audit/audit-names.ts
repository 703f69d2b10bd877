import { Injectable } from '@nestjs/common';
import { idPrefixes, type AuditChange, type AuditRef, type AuditTarget, type AuditValue } from '@parley/contracts';
import { Problem, type UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { groupRows } from '../groups/index.ts';
import { invitationRows } from '../invitations/index.ts';
import { membershipId, membershipRows, organisationRows, People, roleRows } from '../rights/index.ts';

export type Named = { readonly target: AuditTarget; readonly changes: readonly AuditChange[] };
type Kind = AuditRef['of'] | 'organisation';
type Wanted = { readonly kind: Kind; readonly id: string };
/** By id; empty where nobody knows any. */
type Names = ReadonlyMap<string, string>;
const known: readonly string[] = ['person', 'member', 'role', 'group', 'invitation', 'organisation'] satisfies Kind[];

/** What the things of an organisation are called. */
@Injectable()
export class AuditNames {
  private readonly memberships: Rows<typeof membershipRows>;
  private readonly roles: Rows<typeof roleRows>;
  private readonly groups: Rows<typeof groupRows>;
  private readonly invitations: Rows<typeof invitationRows>;
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly people: People,
  ) {
    this.memberships = mongo.rows(membershipRows);
    this.roles = mongo.rows(roleRows);
    this.groups = mongo.rows(groupRows);
    this.invitations = mongo.rows(invitationRows);
    this.organisations = mongo.rows(organisationRows);
  }

  /**
   * Returns the same with the names that are known now; one query for each kind. `isNow`: it happens now, so that auth is
   * asked for people who are no members.
   */
  async fill(
    scope: OrganisationScope,
    acts: readonly Named[],
    { tx, isNow = false }: { readonly tx?: Transaction; readonly isNow?: boolean } = {},
  ): Promise<Named[]> {
    const names = await this.find(scope, acts.flatMap(unnamed), { tx, isNow });
    return acts.map(({ target, changes }) => ({
      target: namedTarget(target, names),
      changes: changes.map((change) => namedChange(change, names)),
    }));
  }

  /** What a person is called in the organisation, else by auth; null where nobody knows the id. */
  async ofPerson(scope: OrganisationScope, userId: UserId, tx?: Transaction): Promise<string | null> {
    return (await this.find(scope, [{ kind: 'person', id: userId }], { tx, isNow: true })).get(userId) || null;
  }

  private async find(
    scope: OrganisationScope,
    wanted: readonly Wanted[],
    { tx, isNow }: { readonly tx: Transaction | undefined; readonly isNow: boolean },
  ): Promise<Names> {
    const found = new Map<string, string>();
    const idsOf = (...kinds: Kind[]) => [
      ...new Set(wanted.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)),
    ];
    const keep = async <Row>(
      ids: readonly string[],
      find: (ids: never[]) => Promise<readonly Row[]>,
      entry: (row: Row) => [string, string],
    ) => {
      if (ids.length > 0) for (const row of await find(ids as never[])) found.set(...entry(row));
    };
    await keep(
      (idsOf('person', 'member') as UserId[]).map((id) => membershipId(scope.orgId, id)),
      ($in) => this.memberships.within(scope, tx).find({ _id: { $in } }, { fields: ['userId', 'name'] }),
      ({ userId, name }) => [userId, name],
    );
    await keep(
      idsOf('role').filter((id) => id.startsWith(idPrefixes.role)),
      ($in) => this.roles.within(scope, tx).find({ _id: { $in } }),
      ({ _id, name }) => [_id, name],
    );
    await keep(
      idsOf('group'),
      ($in) => this.groups.within(scope, tx).find({ _id: { $in } }),
      ({ _id, name }) => [_id, name],
    );
    await keep(
      idsOf('invitation'),
      ($in) => this.invitations.within(scope, tx).find({ _id: { $in } }),
      ({ _id, email, label }) => [_id, email ?? label ?? ''],
    );
    await keep(
      idsOf('organisation').filter((id) => id === scope.orgId),
      ($in) => this.organisations.within(scope, tx).find({ _id: { $in } }),
      ({ _id, name }) => [_id, name],
    );
    if (isNow)
      await keep(
        idsOf('person').filter((id) => !found.has(id)),
        (ids: UserId[]) => Promise.all(ids.map(async (id) => [id, await this.ofStranger(id)] as const)),
        ([id, name]) => [id, name],
      );
    return found;
  }

  private async ofStranger(userId: UserId): Promise<string> {
    try {
      return (await this.people.find(userId)).name;
    } catch (error) {
      if (error instanceof Problem && error.toDetails().status === 404) return '';
      throw error;
    }
  }
}

const kindOf = ({ of, isMember }: AuditTarget): Kind | null =>
  isMember ? 'member' : known.includes(of) ? (of as Kind) : null;

function unnamed({ target, changes }: Named): Wanted[] {
  const kind = kindOf(target);
  const refs = changes.flatMap(({ before, after }) => [...refsOf(before), ...refsOf(after)]);
  return [
    ...(target.namedAfter ? [{ kind: 'person' as const, id: target.namedAfter }] : []),
    ...(kind && target.name === null ? [{ kind, id: target.id }] : []),
    ...refs.filter(({ name }) => name === null).map(({ of, id }) => ({ kind: of, id })),
  ];
}

const refsOf = (value: AuditValue | null | undefined): readonly AuditRef[] =>
  value?.kind === 'refs' ? value.refs : [];

function namedTarget(target: AuditTarget, names: Names): AuditTarget {
  const { name, namedAfter, id } = target;
  if (name !== null) return target;
  if (namedAfter) return { ...target, name: names.get(namedAfter) || null };
  const kind = kindOf(target);
  return kind ? { ...target, name: names.get(id) || null } : target;
}

function namedChange(change: AuditChange, names: Names): AuditChange {
  const named = (value: AuditValue | null): AuditValue | null =>
    value?.kind === 'refs'
      ? { ...value, refs: value.refs.map((ref) => ({ ...ref, name: (ref.name ?? names.get(ref.id)) || null })) }
      : value;
  const { field, before, after } = change;
  return {
    field,
    ...(before !== undefined && { before: named(before) }),
    ...(after !== undefined && { after: named(after) }),
  };
}
