import type { Delivery, Webhook } from '@parley/contracts';
import { useMemo } from 'react';
import { defineMessages, type IntlShape } from 'react-intl';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

const groupNames = defineMessages({
  answers: { id: 'organisation.webhooks.answers', defaultMessage: 'Answers' },
  chats: { id: 'organisation.webhooks.chats', defaultMessage: 'Questions asked, messages deleted or restored' },
  imports: { id: 'organisation.webhooks.imports', defaultMessage: 'Imports of chats' },
  chatbots: { id: 'organisation.webhooks.chatbots', defaultMessage: 'Chatbots' },
  feedback: { id: 'organisation.webhooks.feedback', defaultMessage: 'Feedback and curated answers' },
  budgets: { id: 'organisation.webhooks.budgets', defaultMessage: 'Budgets' },
  members: { id: 'organisation.webhooks.members', defaultMessage: 'Members and invitations' },
  roles: { id: 'organisation.webhooks.roles', defaultMessage: 'Roles and groups' },
  documents: { id: 'organisation.webhooks.documents', defaultMessage: 'Documents and model servers' },
  connections: { id: 'organisation.webhooks.connections', defaultMessage: 'Data connections' },
  keys: { id: 'organisation.webhooks.keys', defaultMessage: 'API keys' },
  orders: { id: 'organisation.webhooks.orders', defaultMessage: 'Orders and invoices' },
  organisation: { id: 'organisation.webhooks.organisation', defaultMessage: 'The organisation itself' },
});
export type EventGroup = keyof typeof groupNames;

/** What a webhook can be told of here; programs name single types, too. */
export const typesOfGroup: Readonly<Record<EventGroup, readonly string[]>> = {
  answers: ['generation.*'],
  chats: ['message.*'],
  imports: ['import.*'],
  chatbots: ['chatbot.*'],
  feedback: ['feedback.*', 'answer.*'],
  budgets: ['budget.*'],
  members: ['membership.*', 'invitation.*'],
  roles: ['role.*', 'group.*'],
  documents: ['document.*', 'providers.*'],
  connections: ['connection.*'],
  keys: ['apikey.*'],
  orders: ['order.*', 'invoice.*'],
  organisation: ['org.*'],
};
export const eventGroups = Object.keys(typesOfGroup) as EventGroup[];

/** The groups of which all is told, and the types that stand for none. */
export function groupsOf(types: readonly string[]): { groups: EventGroup[]; others: string[] } {
  const groups = eventGroups.filter((group) => typesOfGroup[group].every((type) => types.includes(type)));
  const known = groups.flatMap((group) => typesOfGroup[group]);
  return { groups, others: types.filter((type) => !known.includes(type)) };
}
export const typesOf = ({ groups, others }: ReturnType<typeof groupsOf>): string[] => [
  ...groups.flatMap((group) => typesOfGroup[group]),
  ...others,
];

const stateNames = defineMessages({
  on: { id: 'organisation.webhooks.on', defaultMessage: 'On' },
  off: { id: 'organisation.webhooks.off', defaultMessage: 'Off' },
  gone: { id: 'organisation.webhooks.gone', defaultMessage: 'Off: its server wants no more' },
});
const stateKinds: Readonly<Record<Webhook['state'], StatusKind>> = { on: 'ok', off: 'off', gone: 'bad' };

const deliveryNames = defineMessages({
  waiting: { id: 'organisation.webhooks.waiting', defaultMessage: 'Waits' },
  delivered: { id: 'organisation.webhooks.delivered', defaultMessage: 'Delivered' },
  dead: { id: 'organisation.webhooks.dead', defaultMessage: 'Given up' },
});
const deliveryKinds: Readonly<Record<Delivery['state'], StatusKind>> = {
  waiting: 'waiting',
  delivered: 'ok',
  dead: 'bad',
};
const failureNames = defineMessages({
  status: { id: 'organisation.webhooks.refused', defaultMessage: 'Its server answered {status}.' },
  'no-answer': { id: 'organisation.webhooks.noAnswer', defaultMessage: 'Its server did not answer.' },
  address: { id: 'organisation.webhooks.address', defaultMessage: 'The address isn’t allowed.' },
  'webhook-off': { id: 'organisation.webhooks.wasOff', defaultMessage: 'The webhook was turned off.' },
});

/** Webhooks and their deliveries in words. */
export function useWebhookWords() {
  const { t, intl } = useText();
  return useMemo(() => wordsOf(t, intl), [t, intl]);
}

function wordsOf(t: ReturnType<typeof useText>['t'], intl: IntlShape) {
  /** Names the groups of events, and single types as code. */
  const typeNames = (types: readonly string[]): string[] => {
    const { groups, others } = groupsOf(types);
    // Code, whose order no script around it changes.
    return [...groups.map((group) => t(groupNames[group])), ...others.map((type) => `\u2066${type}\u2069`)];
  };
  return {
    groupName: (group: EventGroup) => t(groupNames[group]),
    typeNames,
    typesText: (types: readonly string[]) => intl.formatList(typeNames(types), { type: 'unit', style: 'short' }),
    stateOf: ({ state }: Webhook) => ({ kind: stateKinds[state], label: t(stateNames[state]) }),
    deliveryState: ({ state }: Delivery) => ({ kind: deliveryKinds[state], label: t(deliveryNames[state]) }),
    failureOf: ({ lastFailure, lastStatus }: Delivery) =>
      lastFailure && t(failureNames[lastFailure], { status: lastStatus }),
  };
}
