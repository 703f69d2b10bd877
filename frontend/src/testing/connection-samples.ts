import type { Connection, ConnectionId } from '@parley/contracts';
import { sampleIds } from './samples.ts';

/** That for uploads with which every organisation begins. */
export const sampleUploads: Connection = {
  id: sampleIds.connection,
  name: '',
  isDefault: true,
  source: { kind: 'upload' },
  audience: { kind: 'everybody' },
  schedule: 'manual',
  state: 'ready',
  documents: { all: 1, searchable: 1, failed: 0 },
  progress: null,
  lastSync: null,
  nextSyncAt: null,
  removal: null,
  createdAt: null,
  version: 0,
};

const counts = { found: 43, unchanged: 40, fetched: 1, removed: 0, failed: 2, isCut: false };

/** A web site that was synced. */
export const sampleSite = (over: Partial<Connection> = {}): Connection => ({
  ...sampleUploads,
  id: 'con_00000000000000000000000002' as ConnectionId,
  name: 'Runbooks and wiki',
  isDefault: false,
  source: {
    kind: 'web',
    start: 'page',
    address: 'https://wiki.example.org/runbooks/',
    below: '/runbooks/',
    depth: 3,
    pages: 500,
  },
  schedule: 'daily',
  documents: { all: 43, searchable: 41, failed: 2 },
  lastSync: { ...counts, at: '2026-11-21T10:00:00.000Z', failure: null },
  createdAt: '2026-11-20T10:00:00.000Z',
  version: 1,
  ...over,
});
