import { defineMessages } from 'react-intl';

/** What billing refuses; see `problem-messages.ts`. */
export const billingProblemMessages = defineMessages({
  'billing.rate-not-found': {
    id: 'problem.billing.rate-not-found',
    defaultMessage: 'This price is not there. Look at the prices again.',
  },
  'billing.rate-overlaps': {
    id: 'problem.billing.rate-overlaps',
    defaultMessage:
      'There is a price for this model and host in this time. End it first, or change it, so that one begins where the other ends.',
  },
  'billing.other-currency': {
    id: 'problem.billing.other-currency',
    defaultMessage: 'All prices of this installation are in another currency. Enter this one in that currency too.',
  },
  'billing.budget-not-found': {
    id: 'problem.billing.budget-not-found',
    defaultMessage: 'This budget is gone. Look at the budgets again.',
  },
  'billing.budget-exists': {
    id: 'problem.billing.budget-exists',
    defaultMessage: 'There is a budget of this scope, period and unit. Change that one.',
  },
  'billing.budget-spent': {
    id: 'problem.billing.budget-spent',
    defaultMessage: 'The budget is spent. Ask someone who sets budgets for more, or wait until it resets.',
  },
  'billing.budgets-full': {
    id: 'problem.billing.budgets-full',
    defaultMessage:
      'Your organisation has reached the limit of budgets. Delete one you no longer need, or ask a platform admin to raise the limit.',
  },
  'billing.no-prices': {
    id: 'problem.billing.no-prices',
    defaultMessage: 'There are no prices yet. Set the budget in tokens, or ask a platform admin for prices.',
  },
  'billing.order-not-found': {
    id: 'problem.billing.order-not-found',
    defaultMessage: 'This organisation doesn’t have this order.',
  },
  'billing.invoice-not-found': {
    id: 'problem.billing.invoice-not-found',
    defaultMessage: 'This organisation doesn’t have this invoice.',
  },
  'billing.seats-not-sold': {
    id: 'problem.billing.seats-not-sold',
    defaultMessage: 'Seats cannot be ordered here: no price is set. A platform admin of this installation sets it.',
  },
  'billing.no-seat-limit': {
    id: 'problem.billing.no-seat-limit',
    defaultMessage: 'This organisation has no limit of seats. More people can be invited without an order.',
  },
  'billing.price-changed': {
    id: 'problem.billing.price-changed',
    defaultMessage: 'The price of a seat has changed meanwhile. Look at the new sum, then order.',
  },
  'billing.orders-waiting': {
    id: 'problem.billing.orders-waiting',
    defaultMessage: 'Ten orders wait to be confirmed. Withdraw one, or wait until they are.',
  },
});
