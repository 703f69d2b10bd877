import { RevocationLog } from '@parley/platform/revocations';
import { startOwner, type Platform, type RunningService } from '@parley/platform/service';
import { OrganisationsModule } from './organisations/index.ts';

/** Starts org: organisations and who belongs to them. */
export async function startOrg(platform: Platform): Promise<RunningService> {
  return startOwner({
    platform,
    modules: [OrganisationsModule],
    providers: (mongo) => [{ provide: RevocationLog, useValue: new RevocationLog(mongo) }],
    group: null,
  });
}
