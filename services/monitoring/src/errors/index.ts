import { Module } from '@nestjs/common';
import {
  changeErrorState,
  createErrorTest,
  getCollectedError,
  getErrorTest,
  listCollectedErrors,
  listErrorTests,
  takeErrorReports,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { CollectedErrorsService } from './collected-errors.service.ts';
import { CollectorService } from './collector.service.ts';
import { ErrorTestParts, ErrorTestsService } from './error-tests.service.ts';
import { ErrorsRepository } from './errors.repository.ts';

export { errorConfig, ErrorSettings, errorSettings } from './error.config.ts';

@Module({ providers: [ErrorsRepository], exports: [ErrorsRepository] })
class ErrorsModule {}

export const collectorFeature = feature({
  routes: { take: takeErrorReports },
  handlers: CollectorService,
  imports: [ErrorsModule],
});

export const collectedErrorsFeature = feature({
  routes: { list: listCollectedErrors, read: getCollectedError, change: changeErrorState },
  handlers: CollectedErrorsService,
  imports: [ErrorsModule],
});

export const errorTestsFeature = feature({
  routes: { list: listErrorTests, create: createErrorTest, read: getErrorTest },
  handlers: ErrorTestsService,
  imports: [ErrorsModule],
  providers: [ErrorTestParts],
});
