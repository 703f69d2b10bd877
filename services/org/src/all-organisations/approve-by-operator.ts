import type { PersonPrincipal } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { ConstructedOwner } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { Approvals, organisationRows } from '../rights/index.ts';
import { AllOrganisationsService } from './all-organisations.service.ts';

const scope = jobScope("an operator's command approves organisations");

export type OperatorApproval = {
  /** Ids and URL names; null for all that are not approved. */
  readonly names: readonly string[] | null;
  /** The platform admin whom the audit log names. */
  readonly principal: PersonPrincipal;
};

/** Approves organisations, all that are named or none. Returns how many were not approved before. */
export async function approveByOperator(
  owner: ConstructedOwner,
  { names, principal }: OperatorApproval,
): Promise<number> {
  if (names === null) {
    const all = owner.get(AllOrganisationsService);
    for (let count = 0; ;) {
      const { approved, isMore } = await all.approveAll({ scope, principal });
      count += approved;
      if (!isMore) return count;
    }
  }
  const ids: OrgId[] = [];
  for (const name of names) ids.push(await idOf(owner, name));
  let count = 0;
  for (const orgId of ids) {
    const approve = { isApproved: true };
    if (await owner.get(Work).run(principal, (tx) => owner.get(Approvals).set(scope.in(orgId), tx, approve)))
      count += 1;
  }
  return count;
}

async function idOf({ mongo }: ConstructedOwner, name: string): Promise<OrgId> {
  const rows = mongo.rows(organisationRows).within(scope);
  const found = (await rows.findById(name as OrgId)) ?? (await rows.findOne({ slug: name }));
  if (!found) throw new Error(`There is no organisation with the id or URL name ${name}.`);
  return found._id;
}
