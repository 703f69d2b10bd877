import { monitoringLimitChanged, failInMonitoring, listMonitoringLimits, setMonitoringLimit } from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import {
  errorTests,
  organisationLimits,
  startOwner,
  type OwnerParts,
  type Platform,
  type RunningService,
} from '@parley/platform/service';
import { joinInboxRows } from '@parley/platform/event-bus';
import { flowCopies, quotaCounters, renames } from '@parley/platform/schema';
import { allOrganisationsFeature, earlierOverviews } from './all-organisations/index.ts';
import { collectedErrorsFeature, collectorFeature, ErrorSettings, errorTestsFeature } from './errors/index.ts';
import { activeUsersFeature, presenceFeature } from './presence/index.ts';
import { RunningAnswersModule } from './running-answers/index.ts';
import { asyncApiFeature, eventStreamFeature } from './event-stream/index.ts';
import { metricsFeature } from './metrics/index.ts';
import { MonitoringSettings } from './monitoring.config.ts';
import { serviceHealthFeature } from './service-health/index.ts';
import { nowFeature, runningListFeature } from './now/index.ts';
import { namesFeature, peopleFeature } from './people/index.ts';
import { webhooksFeature, webhookQuota, webhooksToJobs } from './webhooks/index.ts';

export { monitoringConfig, monitoringSettings, type MonitoringSettings } from './monitoring.config.ts';

/** The end of an answer and its ledger entry come within so long, and are counted in one transaction. */
const gatherMs = 200;

/** Read models over all events, and what has failed. */
export const monitoringParts = (settings: MonitoringSettings): OwnerParts => ({
  modules: [
    RunningAnswersModule,
    presenceFeature,
    activeUsersFeature,
    allOrganisationsFeature,
    metricsFeature,
    nowFeature,
    runningListFeature,
    serviceHealthFeature,
    collectorFeature,
    collectedErrorsFeature,
    errorTestsFeature,
    FlowsModule,
    errorTests(failInMonitoring),
    organisationLimits({
      list: listMonitoringLimits,
      set: setMonitoringLimit,
      changed: monitoringLimitChanged,
      counted: [webhookQuota],
    }),
    peopleFeature,
    namesFeature,
    eventStreamFeature,
    asyncApiFeature,
    webhooksFeature,
  ],
  providers: () => [
    { provide: ErrorSettings, useValue: settings },
    { provide: MonitoringSettings, useValue: settings },
  ],
  group: 'monitoring',
  gatherMs,
  dataMigrations: [
    renames('flows-and-quotas', [flowCopies, quotaCounters]),
    webhooksToJobs,
    earlierOverviews,
    joinInboxRows,
  ],
  countedQuotas: [webhookQuota],
});

/** Starts monitoring. */
export async function startMonitoring(platform: Platform, settings: MonitoringSettings): Promise<RunningService> {
  return startOwner(platform, monitoringParts(settings));
}
