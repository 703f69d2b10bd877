import { makeEmbeddedEventLog } from './bus-harness.ts';
import { describeEventBus } from './describe-event-bus.ts';

describeEventBus('embedded', makeEmbeddedEventLog, { survivesRestart: true, dropsRepeated: true });
