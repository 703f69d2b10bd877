import { makeEmbeddedEventLog } from './bus-harness.ts';
import { describeConsumers } from './describe-consumers.ts';

describeConsumers('embedded', makeEmbeddedEventLog);
