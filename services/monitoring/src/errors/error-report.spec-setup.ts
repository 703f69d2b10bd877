import type { ErrorFrame, ErrorReport } from '@parley/contracts';
import { randomBytes } from 'node:crypto';

export const ownFrame: ErrorFrame = {
  function: 'Peers.call',
  file: 'packages/platform/src/edge/peers/peers.ts',
  line: 83,
  column: 12,
  isOwn: true,
};

/** A report of chat, each with an event of its own. */
export const aReport = (more: Partial<ErrorReport> = {}): ErrorReport => ({
  eventId: randomBytes(16).toString('hex'),
  at: '2026-11-21T10:05:00.000Z',
  deployable: 'chat',
  during: 'request',
  release: 'parley@0.1.0',
  route: '/api/chat/documents',
  traceId: randomBytes(16).toString('hex'),
  digest: null,
  consumer: null,
  process: 'chat-7d9f-2xk',
  userId: null,
  errorTestId: null,
  errors: [{ type: 'TypeError', code: null, frames: [ownFrame] }],
  ...more,
});
