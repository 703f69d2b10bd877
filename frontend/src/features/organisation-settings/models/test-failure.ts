import type { GenerationFailure } from '@parley/contracts';
import { defineMessages, type MessageDescriptor } from 'react-intl';
import type { Answer } from '../../../lib/http.ts';

type Step = Answer<'POST /api/chat/providers/test'>['failedStep'];

/** Each says what happened, why, and what to do next. They may name `{host}` and `{model}`. */
const texts = defineMessages({
  address: {
    id: 'organisation.failure.address',
    defaultMessage:
      '{host} is on this machine or in a private network, so it may not be called. Use a public address, or ask a platform admin to open these settings and allow it.',
  },
  unknownHost: {
    id: 'organisation.failure.unknownHost',
    defaultMessage:
      'Parley can’t find a server with the name {host}. Check its spelling in the base URL and test again.',
  },
  unreachable: {
    id: 'organisation.failure.unreachable',
    defaultMessage:
      'No connection to {host} could be made. Check that the server runs and that port and https are right, then test again.',
  },
  keyMissing: {
    id: 'organisation.failure.keyMissing',
    defaultMessage: 'The server asks for a key. Enter it and test again.',
  },
  keyRefused: {
    id: 'organisation.failure.keyRefused',
    defaultMessage: 'The server refused the key. Check it and test again.',
  },
  rateLimited: {
    id: 'organisation.failure.rateLimited',
    defaultMessage:
      'The server takes no more requests with this key for now. Wait a minute and test again, or check its quota.',
  },
  overloaded: {
    id: 'organisation.failure.overloaded',
    defaultMessage: 'The server has too much to do for now. Test again in a moment.',
  },
  noList: {
    id: 'organisation.failure.noList',
    defaultMessage:
      'The server has no model list at this address. Check the base URL, which often ends in /v1, or enter the name of a model and test again.',
  },
  listStalled: {
    id: 'organisation.failure.listStalled',
    defaultMessage: 'The server sent no model list in time. It may be busy or still starting; test again in a moment.',
  },
  modelMissing: {
    id: 'organisation.failure.modelMissing',
    defaultMessage: 'The server does not know the model {model}. Choose another default model and test again.',
  },
  answerFailed: {
    id: 'organisation.failure.answerFailed',
    defaultMessage:
      'The server gave no answer with {model}. It may not be a chat model: choose another default model and test again.',
  },
  stalled: {
    id: 'organisation.failure.stalled',
    defaultMessage:
      'No word came from {model} within 30 seconds. The server may still be loading it; test again in a moment.',
  },
  cut: {
    id: 'organisation.failure.cut',
    defaultMessage:
      'The server closed the connection before it had answered. Check that {host} speaks http or https as the base URL says, then test again.',
  },
});

/** Why a connection test failed, and what to do. */
export function testFailure(
  failure: GenerationFailure,
  { step, hasKey }: { step: Step; hasKey: boolean },
): MessageDescriptor {
  if (step === 'address') return texts.address;
  if (failure === 'provider-refused') return hasKey ? texts.keyRefused : texts.keyMissing;
  if (failure === 'provider-unknown-host') return texts.unknownHost;
  if (failure === 'provider-unreachable') return texts.unreachable;
  if (failure === 'provider-rate-limited') return texts.rateLimited;
  if (failure === 'provider-overloaded') return texts.overloaded;
  if (failure === 'provider-cut') return texts.cut;
  if (failure === 'provider-stalled') return step === 'answer' ? texts.stalled : texts.listStalled;
  if (step === 'models') return texts.noList;
  return failure === 'model-missing' ? texts.modelMissing : texts.answerFailed;
}
