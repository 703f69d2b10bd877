import { getServiceHealth, getSlotsOfOnly, replayDeadLetters, runParkedJobs, tryDeadLetters } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { allOrganisationsFeature } from '../all-organisations/index.ts';
import { metricsFeature } from '../metrics/index.ts';
import { nowFeature } from '../now/index.ts';
import { presenceFeature } from '../presence/index.ts';
import { HealthPeers } from './health-peers.ts';
import { ServiceHealthService } from './service-health.service.ts';

export const serviceHealthFeature = feature({
  routes: {
    read: getServiceHealth,
    tryAgain: tryDeadLetters,
    replay: replayDeadLetters,
    runJobs: runParkedJobs,
    slots: getSlotsOfOnly,
  },
  handlers: ServiceHealthService,
  providers: [HealthPeers],
  imports: [allOrganisationsFeature, metricsFeature, nowFeature, presenceFeature],
});
