import type { GenerationFailure } from '@parley/contracts';
import { defineMessages } from 'react-intl';

/** Why an answer ended early, in words. */
export const failureReasons = defineMessages({
  'provider-refused': {
    id: 'failed.reason.providerRefused',
    defaultMessage:
      'The model server did not accept the key. An admin can test the provider in the organisation settings.',
  },
  'provider-rate-limited': {
    id: 'failed.reason.providerRateLimited',
    defaultMessage: 'The model server takes no more requests for now. Wait a moment, then ask again.',
  },
  'provider-overloaded': {
    id: 'failed.reason.providerOverloaded',
    defaultMessage: 'The model server has too much to do. Wait a moment, then ask again.',
  },
  'context-too-long': {
    id: 'failed.reason.contextTooLong',
    defaultMessage:
      'The chat and its sources are longer than the model can read. Begin a new chat, or choose another model.',
  },
  'images-refused': {
    id: 'failed.reason.imagesRefused',
    defaultMessage: 'The model refused the images. Ask for an answer with a note instead, or choose another model.',
  },
  'provider-error': {
    id: 'failed.reason.providerError',
    defaultMessage: 'The model server reported an error. Ask again; if it stays, an admin can test the provider.',
  },
  'provider-unreachable': {
    id: 'failed.reason.providerUnreachable',
    defaultMessage:
      'The model server could not be reached. Ask again in a moment; an admin can test the provider in the organisation settings.',
  },
  'provider-unknown-host': {
    id: 'failed.reason.providerUnknownHost',
    defaultMessage:
      'Parley can’t find a server with the name {host}. An admin can correct the address in the organisation settings.',
  },
  'provider-stalled': {
    id: 'failed.reason.providerStalled',
    defaultMessage: 'The model server didn’t respond for a minute. Try again.',
  },
  'provider-cut': { id: 'failed.reason.providerCut', defaultMessage: 'The model server closed the connection.' },
  'model-missing': {
    id: 'failed.reason.modelMissing',
    defaultMessage: 'The model was removed or is unknown to its server. Choose another one.',
  },
  'too-long': {
    id: 'failed.reason.tooLong',
    defaultMessage: 'It reached the maximum length of an answer. Ask for the rest in a new message.',
  },
  'output-limit': {
    id: 'failed.reason.outputLimit',
    defaultMessage: 'It reached the limit for one answer, or the end of what the model can read at once.',
  },
  'budget-spent': {
    id: 'failed.reason.budgetSpent',
    defaultMessage: 'The budget is not enough for this answer. The model was not asked, and nothing was charged.',
  },
  'budget-unavailable': {
    id: 'failed.reason.budgetUnavailable',
    defaultMessage: 'Nobody could say whether there is budget left. The model was not asked. Ask again in a moment.',
  },
  'deadline-passed': {
    id: 'failed.reason.deadlinePassed',
    defaultMessage: 'It took longer than the limit for an answer. Continue it, or ask for less at once.',
  },
  internal: {
    id: 'failed.reason.internal',
    defaultMessage: 'Something failed on the server; it is in the server’s log. Ask again.',
  },
} satisfies Record<GenerationFailure, { id: string; defaultMessage: string }>);

/** Instead of the reason of `output-limit`. */
export const { limitedByBudget } = defineMessages({
  limitedByBudget: {
    id: 'failed.reason.limitedByBudget',
    defaultMessage: 'The budget had room for a shorter answer only. Continue it once there is more budget.',
  },
});
