import { describeDoorbell, silentLogger } from '@parley/testing';
import { MemoryDoorbell } from './memory-doorbell.ts';

describeDoorbell('memory', async () => new MemoryDoorbell({ logger: silentLogger() }), { isShared: false });
