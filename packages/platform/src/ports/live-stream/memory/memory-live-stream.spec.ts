import { describeLiveStream, silentLogger } from '@parley/testing';
import { MemoryLiveStream } from './memory-live-stream.ts';

describeLiveStream('memory', async () => new MemoryLiveStream({ logger: silentLogger(), capacity: 256 }), {
  overflow: 1_000,
  isShared: false,
});
