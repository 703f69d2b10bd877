import { getNow, listRunningAnswers } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { metricsFeature } from '../metrics/index.ts';
import { presenceFeature } from '../presence/index.ts';
import { RunningAnswersModule } from '../running-answers/index.ts';
import { NowService } from './now.service.ts';
import { RunningListService } from './running-list.service.ts';

export { NowService } from './now.service.ts';

export const nowFeature = feature({
  routes: { read: getNow },
  handlers: NowService,
  imports: [metricsFeature, presenceFeature, RunningAnswersModule],
  exports: [NowService],
});

export const runningListFeature = feature({
  routes: { list: listRunningAnswers },
  handlers: RunningListService,
  imports: [nowFeature, RunningAnswersModule],
});
