import { describeKv } from '@parley/testing';
import { MemoryKv } from './memory-kv.ts';

describeKv('memory', async () => new MemoryKv(), { isShared: false });
