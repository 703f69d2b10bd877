import { RevocationLog } from '@parley/platform/revocations';
import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { organisationsFeature, tellOrganisations } from './organisations/index.ts';

/** Organisations and who belongs to them. */
export const orgParts: OwnerParts = {
  modules: [organisationsFeature],
  providers: (mongo) => [{ provide: RevocationLog, useValue: new RevocationLog(mongo) }],
  group: null,
  snapshots: ({ mongo }, record) => tellOrganisations(mongo, record),
};

/** Starts org. */
export async function startOrg(platform: Platform): Promise<RunningService> {
  return startOwner(platform, orgParts);
}
