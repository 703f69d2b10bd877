import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { generationCountsFeature } from './generation-counts/index.ts';

/** Read models over all events. */
export const monitoringParts: OwnerParts = {
  modules: [generationCountsFeature],
  providers: () => [],
  group: 'monitoring',
};

/** Starts monitoring. */
export async function startMonitoring(platform: Platform): Promise<RunningService> {
  return startOwner(platform, monitoringParts);
}
