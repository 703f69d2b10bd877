import { followEvents, getAsyncApi } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { AsyncApiService } from './asyncapi.service.ts';
import { EventStream } from './event-stream.ts';
import { EventStreamConsumer } from './event-stream.consumer.ts';
import { FollowEventsService } from './follow-events.service.ts';
import { Readers } from './readers.ts';

export const eventStreamFeature = feature({
  routes: { follow: followEvents },
  handlers: FollowEventsService,
  consumers: [EventStreamConsumer],
  providers: [EventStream, Readers],
  exports: [EventStream],
});

export const asyncApiFeature = feature({ routes: { read: getAsyncApi }, handlers: AsyncApiService });

export { EventStream } from './event-stream.ts';
