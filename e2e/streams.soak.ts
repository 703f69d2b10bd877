import { describeOn } from '@parley/testing';
import { defineStreams } from './streams.ts';
import { startServers } from './two-of-each.ts';

describeOn(
  'programs outside while each monitoring is killed, on two of each process',
  await startServers(),
  defineStreams,
);
