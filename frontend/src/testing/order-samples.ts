import type { Order, OrderId } from '@parley/contracts';
import { sampleIds } from './samples.ts';

export const sampleBuyer = { name: 'Lindmoor Energy AG', address: ['Moor 2'], taxNumber: null };

/** An order that nobody has decided yet. */
export const sampleOrder: Order = {
  id: `ord_${String(1).padStart(26, '0')}` as OrderId,
  orgId: sampleIds.org,
  organisation: 'Lindmoor Energy',
  seats: 100,
  months: 12,
  seatMinor: 820,
  totalMinor: 984_000,
  currency: 'EUR',
  buyer: sampleBuyer,
  reference: null,
  state: 'placed',
  placedBy: { userId: sampleIds.user, name: 'Ines Vardale' },
  placedAt: '2026-11-21T10:41:00.000Z',
  decidedBy: null,
  decidedAt: null,
  refusal: null,
  raised: null,
  invoice: null,
  version: 1,
};
