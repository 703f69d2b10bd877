import type { ProblemCode } from '@parley/protocol';
import { attemptLimits } from './attempts.ts';

/** Limits how much an organisation or a person can have of something that stays until it is deleted. */
export type QuotaLimit = {
  /**
   * The owner of the counted things. A person's things count separately in each organisation, except organisations
   * themselves.
   */
  readonly owner: 'organisation' | 'person';
  /** The service that owns and counts the things. */
  readonly service: 'auth' | 'org' | 'chat' | 'billing' | 'monitoring';
  readonly unit: 'count' | 'bytes';
  /** The limit, unless a platform admin sets another one. */
  readonly ceiling: number;
  /** The highest limit that a platform admin can set; the same as `ceiling` if it can't be changed. */
  readonly highest: number;
  /** True if a platform admin can set another limit for an organisation. */
  readonly isSettable: boolean;
  /**
   * The problem code if the quota is full: its status is 409, but 413 for storage, and 429 for emails, which have room
   * again after an hour.
   */
  readonly problem: ProblemCode;
  /** Names the counted things, in the plural. */
  readonly things: string;
  /** A sentence for the page of limits. */
  readonly description: string;
  /** Says what to do when the quota is full; part of the refusal. */
  readonly whenFull: string;
};

const gigabyte = 1_000_000_000;
const counted = { unit: 'count', isSettable: true, problem: 'org.limit-reached' } as const;
const raise = 'or ask a platform admin to raise the limit.';

/**
 * Lists all quotas; limits on rates and on concurrent work are in other tables. An organisation of 500 people is not
 * expected to reach a default.
 */
export const quotaLimits = {
  storage: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    unit: 'bytes',
    ceiling: 50 * gigabyte,
    highest: 100_000 * gigabyte,
    problem: 'chat.storage-quota-reached',
    things: 'bytes of storage',
    description:
      'Files of documents and chats, the text of their passages, the embeddings of documents, including documents that can still be restored, exports of people, and uploads of imports while they are there.',
    whenFull: 'Delete documents, a data connection or exports, or ask a platform admin to raise the quota.',
  },
  connections: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 50,
    highest: 500,
    things: 'data connections',
    description: 'Data connections, besides the one for uploads that every organisation has.',
    whenFull: `Delete a data connection, ${raise}`,
  },
  documents: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 10_000,
    highest: 10_000,
    isSettable: false,
    things: 'documents in a data connection',
    description: 'Documents of one data connection.',
    whenFull: 'Delete documents or upload to another data connection.',
  },
  passages: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 100_000,
    highest: 100_000,
    isSettable: false,
    problem: 'chat.document-limit-reached',
    things: 'passages',
    description: 'Passages of all documents; a document that does not fit is listed as failed.',
    whenFull: 'Delete documents, then try the failed ones again.',
  },
  vectors: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    unit: 'bytes',
    ceiling: 64 * 1024 ** 2,
    highest: 64 * 1024 ** 2,
    isSettable: false,
    problem: 'chat.document-limit-reached',
    things: 'bytes of embeddings',
    description: 'Embeddings that can be searched; passages beyond that are found by their words only.',
    whenFull: 'Delete documents or choose an embedding model with fewer dimensions.',
  },
  chatbots: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 200,
    highest: 1_000,
    things: 'chatbots',
    description: 'Chatbots, besides the default one.',
    whenFull: `Delete a chatbot, ${raise}`,
  },
  chatbotTests: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 100,
    highest: 100,
    isSettable: false,
    things: 'tests of a chatbot',
    description: 'Tests of one chatbot.',
    whenFull: 'Delete a test.',
  },
  curatedAnswers: {
    ...counted,
    owner: 'organisation',
    service: 'chat',
    ceiling: 1_000,
    highest: 5_000,
    things: 'curated answers',
    description: 'Curated answers, active or not.',
    whenFull: `Delete a curated answer, ${raise}`,
  },
  webhooks: {
    ...counted,
    owner: 'organisation',
    service: 'monitoring',
    ceiling: 10,
    highest: 100,
    things: 'webhooks',
    description: 'Webhooks, on or off.',
    whenFull: `Delete a webhook, ${raise}`,
  },
  groups: {
    ...counted,
    owner: 'organisation',
    service: 'org',
    ceiling: 200,
    highest: 1_000,
    things: 'groups',
    description: 'Groups of members.',
    whenFull: `Delete a group, ${raise}`,
  },
  roles: {
    ...counted,
    owner: 'organisation',
    service: 'org',
    ceiling: 50,
    highest: 200,
    things: 'custom roles',
    description: "Roles of the organisation's own, besides the built-in ones.",
    whenFull: `Delete a role, ${raise}`,
  },
  invitations: {
    ...counted,
    owner: 'organisation',
    service: 'org',
    ceiling: 2_000,
    highest: 20_000,
    things: 'open invitations',
    description: 'Open invitations and invite links.',
    whenFull: `Revoke invitations that are no longer needed, ${raise}`,
  },
  emails: {
    ...counted,
    owner: 'organisation',
    service: 'org',
    ceiling: attemptLimits['organisation-emails'].most,
    highest: 20_000,
    problem: 'org.email-limit-reached',
    things: 'invitation emails in an hour',
    description: 'Invitation emails in an hour; see the attempts above for people, networks and new accounts.',
    whenFull: `Send the others in an hour, ${raise}`,
  },
  budgets: {
    ...counted,
    owner: 'organisation',
    service: 'billing',
    ceiling: 200,
    highest: 1_000,
    problem: 'billing.budgets-full',
    things: 'budgets',
    description: 'Budgets of the organisation, its groups and people.',
    whenFull: `Delete a budget, ${raise}`,
  },
  apiKeys: {
    ...counted,
    owner: 'person',
    service: 'auth',
    ceiling: 50,
    highest: 500,
    problem: 'auth.api-keys-full',
    things: 'active API keys',
    description: 'API keys of one person in one organisation that are neither revoked nor expired.',
    whenFull: `Revoke a key, ${raise}`,
  },
  projects: {
    ...counted,
    owner: 'person',
    service: 'chat',
    ceiling: 200,
    highest: 200,
    isSettable: false,
    things: 'projects',
    description: 'Projects of one person in one organisation, archived ones too.',
    whenFull: 'Delete a project.',
  },
  imports: {
    ...counted,
    owner: 'person',
    service: 'chat',
    ceiling: 100,
    highest: 100,
    isSettable: false,
    problem: 'chat.imports-full',
    things: 'imports that have not ended',
    description: 'Imports of one person in one organisation that have not ended, uploads too.',
    whenFull: 'Finish or delete one of them.',
  },
  organisations: {
    ...counted,
    owner: 'person',
    service: 'org',
    ceiling: 5,
    highest: 5,
    isSettable: false,
    problem: 'org.too-many-organisations',
    things: 'organisations',
    description:
      'Organisations that one person created and owns; platform admins are exempt, and `PARLEY_ORGANISATIONS_PER_PERSON` sets another number.',
    whenFull: 'Ask a platform admin to create another one, or transfer one that is no longer needed.',
  },
} as const satisfies Record<string, QuotaLimit>;

export type QuotaName = keyof typeof quotaLimits;
/** Names the quota with a stored counter: bytes can't be counted each time, and 20,000 rows can. */
export type CounterName = 'storage';
/** Names a quota without a stored counter: its rows are counted; emails are, by the hour. */
export type CountedName = Exclude<QuotaName, CounterName>;
/** Names a quota whose ceiling a platform admin can set. */
export type CeilingName = {
  [Name in QuotaName]: (typeof quotaLimits)[Name]['isSettable'] extends true ? Name : never;
}[QuotaName];

export const quotaNames = Object.keys(quotaLimits) as QuotaName[];
export const ceilingNames = quotaNames.filter((name): name is CeilingName => quotaLimits[name].isSettable);

/** Seconds to wait before another attempt if storage is used up. */
export const quotaRetrySeconds = 3_600;
