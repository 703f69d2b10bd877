import { MemoryDoorbell } from '@parley/platform/doorbell';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import { silentLogger } from './builders.ts';
import { describeDoorbell } from './describe-doorbell.ts';
import { describeKv } from './describe-kv.ts';
import { describeLiveStream } from './describe-live-stream.ts';

describeKv('memory', async () => new MemoryKv(), { isShared: false });
describeDoorbell('memory', async () => new MemoryDoorbell({ logger: silentLogger() }), { isShared: false });
describeLiveStream('memory', async () => new MemoryLiveStream({ logger: silentLogger(), capacity: 256 }), {
  overflow: 1_000,
  isShared: false,
});
