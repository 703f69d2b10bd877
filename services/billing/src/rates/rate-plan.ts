import type { PersonPrincipal, RateLineFault } from '@parley/contracts';
import type { NewRateRow, RateRow } from './rate.collection.ts';
import type { RateLine } from './rate-lines.ts';
import { isSameKey, mayBeReplacedBy, newRate, overlap, says, timeFaultOf, type WantedRate } from './rate.ts';

/** What is to be written; a rate that is replaced ends where the new one begins. */
export type RatePlan = {
  readonly added: NewRateRow[];
  readonly ended: { readonly row: RateRow; readonly at: Date }[];
  unchanged: number;
  readonly faults: { readonly line: number; readonly fault: RateLineFault }[];
};
export type PlanSituation = { readonly there: readonly RateRow[]; readonly by: PersonPrincipal; readonly now: Date };

/** Decides line by line; what a line above adds is there for the next one. */
export function planRates(lines: readonly RateLine[], situation: PlanSituation, replaces: boolean): RatePlan {
  const plan: RatePlan = { added: [], ended: [], unchanged: 0, faults: [] };
  const byModel = Map.groupBy(situation.there, ({ model }) => model);
  for (const each of lines) {
    const fault = 'fault' in each ? each.fault : addTo(plan, each.wanted, { ...situation, byModel, replaces });
    if (fault) plan.faults.push({ line: each.line, fault });
  }
  return plan;
}

type Around = Omit<PlanSituation, 'there'> & { readonly byModel: Map<string, RateRow[]>; readonly replaces: boolean };

function addTo(plan: RatePlan, wanted: WantedRate, { byModel, replaces, by, now }: Around): RateLineFault | null {
  const known = byModel.get(wanted.model) ?? [];
  const there = known.filter((row) => isSameKey(row, wanted));
  if (there.some((row) => says(row, wanted, now))) {
    plan.unchanged += 1;
    return null;
  }
  const fault = timeFaultOf(wanted, now);
  if (fault) return fault;
  const row = newRate(wanted, by, now);
  const inTheWay = there.filter((other) => overlap(other, row));
  if (inTheWay.some((other) => plan.added.some(({ _id }) => _id === other._id))) return 'twice';
  const [replaced, ...others] = inTheWay;
  if (others.length > 0) return 'overlaps';
  if (replaced && !(replaces && mayBeReplacedBy(replaced, row))) return 'overlaps';
  if (replaced) plan.ended.push({ row: replaced, at: row.validFrom });
  plan.added.push(row);
  const rest = known.map((other) => (other === replaced ? { ...other, validUntil: row.validFrom } : other));
  byModel.set(wanted.model, [...rest, row]);
  return null;
}
