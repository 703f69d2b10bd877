import { expect, it } from '@jest/globals';
import type { AuditEntry, AuditValue } from '@parley/contracts';
import { csvRowOf } from './audit-changes.ts';

const entry: AuditEntry = {
  id: 'aud_01M7Z6X0BT7J6QPJC5FQE3HR01' as AuditEntry['id'],
  at: '2026-11-21T10:42:00.000Z',
  actor: { userId: 'usr_1' as AuditEntry['actor']['userId'], name: 'Ines Vardale', isPlatformAdmin: false },
  act: 'provider.changed',
  target: { of: 'provider', id: 'prv_1', name: 'Local' },
  changes: [],
  reason: null,
  count: 1,
};
const afterOf = (after: AuditValue) => csvRowOf({ ...entry, changes: [{ field: 'models', after }] })['after'];

it('keeps the parts of a model apart in a file, and its name alone in entries of earlier versions', () => {
  const atlas = { name: 'atlas', tokens: 128_000, images: false };
  expect(afterOf({ kind: 'models', models: [atlas] })).toBe(JSON.stringify({ models: [atlas] }));
  expect(afterOf({ kind: 'texts', texts: ['atlas'] })).toBe('{"models":["atlas"]}');
});
