import { defineEvent, orgId, timestamp, userId, type OrgId } from '@parley/protocol';
import { z } from 'zod';
import { budgetId } from '../../ids.ts';
import { auditValues, changesBetween, type AuditTarget, type AuditValue } from '../../events/audit.ts';
import { budgetLimits, budgetPeriod, budgetScope, budgetUnit, type BudgetScope } from './budgets.ts';
import { currency } from './rates.ts';

const ofOrganisation = { key: 'orgId' } as const;

const auditedLimits = z.object({ unit: budgetUnit, period: budgetPeriod, ...budgetLimits });
type AuditedLimits = z.infer<typeof auditedLimits>;

/**
 * Returns a budget's target for the audit log. A person is looked up among members only, because a request named the
 * id.
 */
function countedBy(scope: BudgetScope, orgId: OrgId): AuditTarget {
  if (scope.kind === 'organisation') return { of: 'organisation', id: orgId, name: null };
  const { kind, id } = scope;
  if (kind === 'person') return { of: kind, id, name: null, isMember: true };
  if (kind === 'group') return { of: kind, id, name: null };
  return { of: kind, id, name: kind === 'model' ? id.slice(id.indexOf('/') + 1) : scope.name || null };
}

function limitsOf({ unit, period, softLimit, hardLimit }: AuditedLimits, currency: string | null) {
  const limit = (amount: number | null): AuditValue => {
    if (amount === null) return auditValues.limit(null);
    return unit === 'tokens' ? { kind: 'tokens', count: amount } : { kind: 'money', amount, unit: 'micro', currency };
  };
  return { hardLimit: limit(hardLimit), softLimit: limit(softLimit), period: auditValues.code(period) };
}

/** A budget was created, changed or deleted. Services that enforce hard limits keep a copy. */
export const budgetChanged = defineEvent('budget.changed.v1', 'billing', {
  data: z.object({
    orgId,
    budgetId,
    version: z.number().int(),
    change: z.enum(['created', 'updated', 'deleted']),
    scope: budgetScope,
    hasHardLimit: z.boolean(),
    /**
     * `by`, `before` and `after`: the person, and the budget before and after. Missing in a republished event, and for
     * old budgets.
     */
    by: userId.optional(),
    before: auditedLimits.nullable().optional(),
    after: auditedLimits.nullable().optional(),
    /** The currency of limits in money; null without a price. Missing in events of earlier versions. */
    currency: currency.nullable().optional(),
  }),
  ...ofOrganisation,
  identity: ['budgetId', 'version'],
  live: { room: 'organisation', resources: ['budgets', 'my-budgets'] },
  audit: ({ orgId, scope, by, before = null, after = null, currency = null }) =>
    by
      ? {
          act: before === null ? 'budget.created' : after === null ? 'budget.deleted' : 'budget.changed',
          by,
          target: countedBy(scope, orgId),
          changes: changesBetween(before && limitsOf(before, currency), after && limitsOf(after, currency)),
        }
      : null,
  outside: ['budgetId', 'version', 'change', 'hasHardLimit'],
});

/**
 * A budget reached its soft limit, used up its hard limit, or refused an answer. Published once for each limit and
 * period.
 */
export const budgetThresholdCrossed = defineEvent('budget.threshold-crossed.v1', 'billing', {
  data: z.object({
    orgId,
    budgetId,
    scope: budgetScope,
    threshold: z.enum(['soft', 'hard']),
    unit: budgetUnit,
    spent: z.number().int(),
    limit: z.number().int(),
    periodStart: z.iso.date(),
    /** The currency; null for tokens. Missing, like the time of the reset, in events of earlier versions. */
    currency: currency.nullable().optional(),
    resetsAt: timestamp.optional(),
  }),
  ...ofOrganisation,
  live: { room: 'organisation', resources: ['budgets', 'my-budgets'] },
  audit: 'Nobody acts.',
  outside: ['budgetId', 'threshold', 'unit', 'spent', 'limit', 'periodStart'],
  // Usage of one person needs `usage:read_person`, which API clients can't have.
  withheld: { fields: ['spent'], where: ({ scope }) => scope.kind === 'person' },
});

export const budgetRaiseRequested = defineEvent('budget.raise-requested.v1', 'billing', {
  data: z.object({ orgId, budgetId, userId, amount: z.number().int() }),
  ...ofOrganisation,
  // Needs no permission: people who ask for more budget see their request in their other tabs.
  live: { room: 'organisation', resources: ['budgets', 'my-budgets'] },
  audit: 'A wish: the change of the budget is the act.',
  outside: ['budgetId', 'amount'],
});

/** A request for more budget was dismissed. The person who asked isn't notified. */
export const budgetRequestDismissed = defineEvent('budget.request-dismissed.v1', 'billing', {
  data: z.object({ orgId, budgetId, userId }),
  ...ofOrganisation,
  live: { room: 'organisation', permission: 'budget:read', resources: ['budgets'] },
  audit: 'Nothing of the budget changes.',
});
