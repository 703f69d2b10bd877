import { makeEmbeddedEventLog } from './bus-harness.ts';
import { describeOutbox } from './describe-outbox.ts';

describeOutbox('embedded', makeEmbeddedEventLog);
