import {
  changeTest,
  createTest,
  deleteTest,
  getTestRun,
  listTestRuns,
  listTests,
  setTestGate,
  startTestRun,
  stopTestRun,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { documentsFeature } from '../../knowledge/documents/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { trialsFeature } from '../trials/index.ts';
import { runTests } from './test-jobs.ts';
import { TestRunner } from './test-runner.ts';
import { TestRunsService } from './test-runs.service.ts';
import { TestsRepository } from './tests.repository.ts';
import { TestsService } from './tests.service.ts';

export { testRunsToJobs } from './test-jobs.ts';

/** Stores the tests of a chatbot, and how many have to pass before a draft can be published. */
export const testsFeature = feature({
  routes: { list: listTests, create: createTest, change: changeTest, delete: deleteTest, setGate: setTestGate },
  handlers: TestsService,
  imports: [chatbotsFeature, documentsFeature],
  providers: [TestsRepository],
  exports: [TestsRepository],
});

/** Runs all tests of a chatbot as jobs. If a process ends, any other continues them. */
export const testRunsFeature = feature({
  routes: { start: startTestRun, list: listTestRuns, read: getTestRun, stop: stopTestRun },
  handlers: TestRunsService,
  jobs: [runBy(runTests, TestRunner)],
  imports: [testsFeature, chatbotsFeature, trialsFeature, generationsFeature],
});
