import { getGenerationCounts } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { GenerationCountsConsumer } from './generation-counts.consumer.ts';
import { GenerationCountsService } from './generation-counts.service.ts';

export const generationCountsFeature = feature({
  routes: { read: getGenerationCounts },
  handlers: GenerationCountsService,
  consumers: [GenerationCountsConsumer],
});
