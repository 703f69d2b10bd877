import { describeConsumers, makeEmbeddedEventLog } from '@parley/testing';

describeConsumers('embedded', makeEmbeddedEventLog);
