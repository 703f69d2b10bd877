import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';

/** What is to become of one role: the role as it was when the first cell was changed, and the wanted cells. */
type RoleEdit = { readonly base: Role; readonly wants: Readonly<Partial<Record<Permission, boolean>>> };
/** By role. Kept as wishes for cells, not as a state: what others save meanwhile is never written over. */
export type RoleEdits = Readonly<Record<string, RoleEdit>>;
/** What saving would do to a role. */
export type RoleChange = {
  readonly role: Role;
  readonly added: readonly Permission[];
  readonly taken: readonly Permission[];
};
/** What became of a role after its first cell was changed here. Null: it is gone. */
export type Meanwhile = {
  readonly base: Role;
  readonly current: Role | null;
  readonly added: readonly Permission[];
  readonly taken: readonly Permission[];
};

const isGivenNow = ({ permissions }: Role, permission: Permission): boolean => permissions.includes(permission);

export const isWanted = (edits: RoleEdits, role: Role, permission: Permission): boolean =>
  edits[role.id]?.wants[permission] ?? isGivenNow(role, permission);

/** The cell has another state than the saved one. */
export const isUnsaved = (edits: RoleEdits, role: Role, permission: Permission): boolean =>
  isWanted(edits, role, permission) !== isGivenNow(role, permission);

/** Gives what was not given and takes what was; a wish that is fulfilled already is none. */
export function toggled(edits: RoleEdits, role: Role, permission: Permission): RoleEdits {
  const { base = role, wants = {} } = edits[role.id] ?? {};
  const { [permission]: _, ...others } = wants;
  const next = !isWanted(edits, role, permission);
  const left = next === isGivenNow(role, permission) ? others : { ...others, [permission]: next };
  if (Object.keys(left).length === 0) return without(edits, role.id);
  return { ...edits, [role.id]: { base, wants: left } };
}

export function without(edits: RoleEdits, roleId: string): RoleEdits {
  const { [roleId]: _, ...others } = edits;
  return others;
}

/** Takes note of what a role is now: what others did is known, what they fulfilled is no wish any more. */
export function caughtUp(edits: RoleEdits, { base, current }: Meanwhile): RoleEdits {
  const wants = Object.entries(edits[base.id]?.wants ?? {}).filter(
    ([permission, wanted]) => current && wanted !== isGivenNow(current, permission as Permission),
  );
  if (!current || wants.length === 0) return without(edits, base.id);
  return { ...edits, [base.id]: { base: current, wants: Object.fromEntries(wants) } };
}

export function changesOf(edits: RoleEdits, roles: readonly Role[]): RoleChange[] {
  return roles.flatMap((role) => {
    const unsaved = (Object.keys(edits[role.id]?.wants ?? {}) as Permission[]).filter((permission) =>
      isUnsaved(edits, role, permission),
    );
    const [added, taken] = [true, false].map((wanted) =>
      unsaved.filter((permission) => isWanted(edits, role, permission) === wanted),
    ) as [Permission[], Permission[]];
    return unsaved.length === 0 ? [] : [{ role, added, taken }];
  });
}

/** All rights of the role once it is saved. */
export const rightsAfter = ({ role, added, taken }: RoleChange): Permission[] => [
  ...role.permissions.filter((permission) => !taken.includes(permission)),
  ...added,
];

/** Everybody has one role, so nobody counts twice among those who gain or among those who lose. */
export function effectOf(changes: readonly RoleChange[]): { cells: number; gain: number; lose: number } {
  const people = (some: readonly RoleChange[]) => some.reduce((sum, { role }) => sum + role.memberCount, 0);
  return {
    cells: changes.reduce((sum, { added, taken }) => sum + added.length + taken.length, 0),
    gain: people(changes.filter(({ added }) => added.length > 0)),
    lose: people(changes.filter(({ taken }) => taken.length > 0)),
  };
}

/** Of the roles with unsaved cells, those whose rights others have changed, or that others have deleted. */
export function changedMeanwhile(edits: RoleEdits, roles: readonly Role[]): Meanwhile[] {
  return Object.values(edits).flatMap(({ base }): Meanwhile[] => {
    const current = roles.find(({ id }) => id === base.id) ?? null;
    if (!current) return [{ base, current, added: [], taken: [] }];
    const added = current.permissions.filter((permission) => !isGivenNow(base, permission));
    const taken = base.permissions.filter((permission) => !isGivenNow(current, permission));
    return added.length + taken.length === 0 ? [] : [{ base, current, added, taken }];
  });
}
