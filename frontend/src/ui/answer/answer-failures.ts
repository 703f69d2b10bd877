import type { GenerationFailure } from '@parley/contracts';
import { defineMessages } from 'react-intl';

/** Why an answer ended early, in words. */
export const failureReasons = defineMessages({
  'provider-refused': {
    id: 'chat.failure.providerRefused',
    defaultMessage:
      'The model server did not accept the key. An admin can test the provider in the organisation settings.',
  },
  'provider-rate-limited': {
    id: 'chat.failure.providerRateLimited',
    defaultMessage: 'The model server takes no more requests for now. Wait a moment, then ask again.',
  },
  'provider-overloaded': {
    id: 'chat.failure.providerOverloaded',
    defaultMessage: 'The model server has too much to do. Wait a moment, then ask again.',
  },
  'context-too-long': {
    id: 'chat.failure.contextTooLong',
    defaultMessage:
      'The chat and its sources are longer than the model can read. Begin a new chat, or choose another model.',
  },
  'provider-error': {
    id: 'chat.failure.providerError',
    defaultMessage: 'The model server reported an error. Ask again; if it stays, an admin can test the provider.',
  },
  'provider-unreachable': {
    id: 'chat.failure.providerUnreachable',
    defaultMessage:
      'The model server could not be reached. Ask again in a moment; an admin can test the provider in the organisation settings.',
  },
  'provider-unknown-host': {
    id: 'chat.failure.providerUnknownHost',
    defaultMessage:
      'There is no server with the name {host}. An admin can correct the address in the organisation settings.',
  },
  'provider-stalled': {
    id: 'chat.failure.providerStalled',
    defaultMessage: 'The model server sent no word for a minute. It may be busy; try it again.',
  },
  'provider-cut': { id: 'chat.failure.providerCut', defaultMessage: 'The model server closed the connection.' },
  'model-missing': {
    id: 'chat.failure.modelMissing',
    defaultMessage: 'The model was removed or is unknown to its server. Choose another one.',
  },
  'too-long': {
    id: 'chat.failure.tooLong',
    defaultMessage: 'It passed the longest length an answer may have. Ask for the rest in a new message.',
  },
  'output-limit': {
    id: 'chat.failure.outputLimit',
    defaultMessage: 'It reached the limit for one answer, or the end of what the model can read at once.',
  },
  'budget-spent': {
    id: 'chat.failure.budgetSpent',
    defaultMessage: 'The budget is not enough for this answer. The model was not asked, and nothing was charged.',
  },
  'budget-unavailable': {
    id: 'chat.failure.budgetUnavailable',
    defaultMessage: 'Nobody could say whether there is budget left. The model was not asked. Ask again in a moment.',
  },
  'deadline-passed': {
    id: 'chat.failure.deadlinePassed',
    defaultMessage: 'It took longer than an answer may take here. Continue it, or ask for less at once.',
  },
  internal: {
    id: 'chat.failure.internal',
    defaultMessage: 'Something failed on the server; it is in the server’s log. Ask again.',
  },
} satisfies Record<GenerationFailure, { id: string; defaultMessage: string }>);

/** Instead of the reason of `output-limit`. */
export const { limitedByBudget } = defineMessages({
  limitedByBudget: {
    id: 'chat.failure.limitedByBudget',
    defaultMessage: 'The budget had room for a shorter answer only. Continue it once there is more budget.',
  },
});
