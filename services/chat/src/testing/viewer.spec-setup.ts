import { permissionsOf, type OrgRole, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import type { Viewer } from '../conversations/index.ts';

const scopes = jobScope('tests');

/** Somebody in an organisation: another person of another one unless given. */
export function aViewer(
  orgId: OrgId = newId('organisation'),
  { role = 'owner', ...person }: Partial<PersonPrincipal> & { role?: OrgRole } = {},
): Viewer {
  const organisation = { orgId, name: 'Acme', role, permissions: permissionsOf(role), rightsVersion: 1 };
  return { scope: scopes.in(orgId), principal: aPerson({ ...person, organisation }) as Member };
}
