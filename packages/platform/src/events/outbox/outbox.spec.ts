import { describeOutbox, makeEmbeddedEventLog } from '@parley/testing';

describeOutbox('embedded', makeEmbeddedEventLog);
