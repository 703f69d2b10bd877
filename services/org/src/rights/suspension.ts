import type { OrganisationStatus, Suspension } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { OrganisationRow } from './organisation.collection.ts';

export const statusOf = ({ suspension, ownerCount }: OrganisationRow): OrganisationStatus =>
  suspension ? 'suspended' : ownerCount === 0 ? 'waiting' : 'active';

/** As its people and platform admins read it. */
export const toSuspension = ({ suspension }: OrganisationRow): Suspension | null =>
  suspension && { ...suspension, at: suspension.at.toISOString() };

/** `org.organisation-suspended`, with why and whom to ask: for people of the organisation only. */
export function checkNotSuspended({ suspension }: OrganisationRow): void {
  if (!suspension) return;
  const { reason, by } = suspension;
  throw new Problem('org.organisation-suspended', { detail: `${by} gave this reason: ${reason} Ask them about it.` });
}
