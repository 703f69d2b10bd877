import { z } from 'zod';
import { budgetId, orgId, userId } from '../ids.ts';
import { defineEvent } from '../events/define-event.ts';
import { timestamp } from '../http/paging.ts';
import { budgetLimits, budgetPeriod, budgetScope, budgetUnit } from './billing-budgets.ts';
import { currency } from './billing-rates.ts';

const ofOrganisation = { key: 'orgId' } as const;

/** A service that enforces hard limits keeps the budgets that have one. */
const auditedLimits = { unit: budgetUnit, period: budgetPeriod, ...budgetLimits };
export const budgetChanged = defineEvent('budget.changed.v1', 'billing', {
  data: z.object({
    orgId,
    budgetId,
    version: z.number().int(),
    change: z.enum(['created', 'updated', 'deleted']),
    scope: budgetScope,
    hasHardLimit: z.boolean(),
    /** By whom, and how it was before and is since; absent where it is told again, and of budgets from before it was told. */
    by: userId.optional(),
    before: z.object(auditedLimits).nullable().optional(),
    after: z.object(auditedLimits).nullable().optional(),
  }),
  ...ofOrganisation,
  identity: ['budgetId', 'version'],
  live: { room: 'organisation', resources: ['budgets', 'my-budgets'] },
  outside: ['budgetId', 'version', 'change', 'hasHardLimit'],
});

/** Once for each limit and period: the soft one was reached, or the hard one is used up or refused an answer. */
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
    /** Of money; null of tokens. Absent, like when it starts again, in what earlier versions told. */
    currency: currency.nullable().optional(),
    resetsAt: timestamp.optional(),
  }),
  ...ofOrganisation,
  live: { room: 'organisation', resources: ['budgets', 'my-budgets'] },
  outside: ['budgetId', 'threshold', 'unit', 'spent', 'limit', 'periodStart'],
  // What one person has used is for readers with `usage:read_person`, which no program can have.
  withheld: { fields: ['spent'], where: ({ scope }) => scope.kind === 'person' },
});

export const budgetRaiseRequested = defineEvent('budget.raise-requested.v1', 'billing', {
  data: z.object({ orgId, budgetId, userId, amount: z.number().int() }),
  ...ofOrganisation,
  live: { room: 'organisation', permission: 'budget:read', resources: ['budgets'] },
  outside: ['budgetId', 'amount'],
});
