import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { allOrganisationsFeature } from './all-organisations/index.ts';
import { activeUsersFeature, presenceFeature } from './presence/index.ts';
import { RunningAnswersModule } from './running-answers/index.ts';
import { asyncApiFeature, eventStreamFeature } from './event-stream/index.ts';
import { generationCountsFeature } from './generation-counts/index.ts';
import { metricsFeature } from './metrics/index.ts';
import { MonitoringSettings } from './monitoring.config.ts';
import { nowFeature, runningListFeature } from './now/index.ts';
import { webhooksFeature } from './webhooks/index.ts';

export { monitoringConfig, monitoringSettings, type MonitoringSettings } from './monitoring.config.ts';

/** Read models over all events. */
export const monitoringParts = (settings: MonitoringSettings): OwnerParts => ({
  modules: [
    generationCountsFeature,
    RunningAnswersModule,
    presenceFeature,
    activeUsersFeature,
    allOrganisationsFeature,
    metricsFeature,
    nowFeature,
    runningListFeature,
    eventStreamFeature,
    asyncApiFeature,
    webhooksFeature,
  ],
  providers: () => [{ provide: MonitoringSettings, useValue: settings }],
  group: 'monitoring',
});

/** Starts monitoring. */
export async function startMonitoring(platform: Platform, settings: MonitoringSettings): Promise<RunningService> {
  return startOwner(platform, monitoringParts(settings));
}
