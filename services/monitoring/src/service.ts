import { startOwner, type Platform, type RunningService } from '@parley/platform/service';
import { GenerationCountsModule } from './generation-counts/index.ts';

/** Starts monitoring: read models over all events. */
export async function startMonitoring(platform: Platform): Promise<RunningService> {
  return startOwner({ platform, modules: [GenerationCountsModule], providers: () => [], group: 'monitoring' });
}
