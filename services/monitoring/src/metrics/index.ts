import { getMetrics } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { allOrganisationsFeature } from '../all-organisations/index.ts';
import { CountAttempts } from './count-attempts.ts';
import { DayMetrics } from './day-metrics.ts';
import { MetricsConsumer } from './metrics.consumer.ts';
import { MetricsRepository } from './metrics.repository.ts';
import { MetricsService } from './metrics.service.ts';

export const metricsFeature = feature({
  routes: { read: getMetrics },
  handlers: MetricsService,
  consumers: [MetricsConsumer],
  providers: [CountAttempts, DayMetrics, MetricsRepository],
  imports: [allOrganisationsFeature],
  exports: [MetricsRepository],
});

export { lastSteps } from './metric-steps.ts';
export { countedApart, together, toFigures } from './metric.ts';
export { MetricsRepository } from './metrics.repository.ts';
export { SeenRows } from './seen-rows.ts';
