import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { GenerationCountsModule } from './generation-counts/index.ts';

/** Read models over all events. */
export const monitoringParts: OwnerParts = {
  modules: [GenerationCountsModule],
  providers: () => [],
  group: 'monitoring',
};

/** Starts monitoring. */
export async function startMonitoring(platform: Platform): Promise<RunningService> {
  return startOwner(platform, monitoringParts);
}
