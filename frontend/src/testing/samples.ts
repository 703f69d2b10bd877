import type {
  ApiKey,
  Conversation,
  ConnectionId,
  ConversationId,
  Document,
  DocumentId,
  GenerationId,
  Group,
  GroupId,
  Me,
  Member,
  Message,
  MessageId,
  Model,
  ModelKey,
  Organisation,
  PictureId,
  Project,
  ProjectId,
  Role,
  RoleId,
} from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { orgRoles, permissionsOf, type Permission } from '@parley/contracts/permissions';

const ulid = (n: number) => String(n).padStart(26, '0');
const at = '2026-11-21T10:41:00.000Z';

export const sampleIds = {
  user: `usr_${ulid(1)}` as UserId,
  org: `org_${ulid(1)}` as OrgId,
  conversation: `cnv_${ulid(1)}` as ConversationId,
  connection: `con_${ulid(1)}` as ConnectionId,
  question: `msg_${ulid(1)}` as MessageId,
  answer: `msg_${ulid(2)}` as MessageId,
  generation: `gen_${ulid(1)}` as GenerationId,
  document: `doc_${ulid(1)}` as DocumentId,
  picture: `pic_${ulid(1)}` as PictureId,
  role: `rol_${ulid(1)}` as RoleId,
  group: `grp_${ulid(1)}` as GroupId,
};

export const sampleMe: Me = {
  id: sampleIds.user,
  email: 'ines@lindmoor.example',
  isProven: true,
  name: 'Ines Vardale',
  picture: null,
  locale: 'en',
  timeZone: null,
  platformRole: null,
  mayCreateOrganisations: true,
  defaultOrgId: null,
  version: 1,
};
export const sampleOrganisation: Organisation = {
  id: sampleIds.org,
  name: 'Lindmoor Energy',
  slug: 'lindmoor',
  role: 'owner',
  roleName: null,
  permissions: permissionsOf('owner'),
  memberCount: 3,
  locale: 'en',
  timeZone: 'Europe/Oslo',
  suspension: null,
  approval: 'approved',
  createdAt: at,
  version: 1,
};
export const sampleModel: Model = {
  key: 'builtin' as ModelKey,
  label: 'Built-in assistant',
  providerName: null,
  isDefault: true,
  context: null,
};

export const sampleQuestion: Message = {
  id: sampleIds.question,
  conversationId: sampleIds.conversation,
  position: 1,
  sequence: 1,
  role: 'person',
  text: 'What changed?',
  createdAt: at,
  author: { userId: sampleIds.user, name: 'Ines Vardale' },
  parentId: null,
  generation: null,
  citations: [],
};

export function sampleAnswer(
  generation: Partial<NonNullable<Message['generation']>> = {},
  over: Partial<Message> = {},
): Message {
  return {
    id: sampleIds.answer,
    conversationId: sampleIds.conversation,
    position: 2,
    sequence: 2,
    role: 'assistant',
    text: 'The certificate.',
    createdAt: at,
    author: null,
    parentId: sampleIds.question,
    citations: [],
    generation: {
      id: sampleIds.generation,
      status: 'done',
      failure: null,
      failureDetail: null,
      epoch: 1,
      resumedAt: null,
      model: { key: 'builtin' as ModelKey, label: 'Built-in assistant' },
      chatbot: null,
      startedAt: at,
      finishedAt: '2026-11-21T10:41:04.200Z',
      usage: { inputTokens: 1000, outputTokens: 284, estimated: false },
      ...generation,
    },
    ...over,
  };
}

export const sampleConversation: Conversation = {
  id: sampleIds.conversation,
  title: 'VPN',
  sequence: 2,
  running: false,
  runningAnswer: null,
  createdAt: at,
  lastActivityAt: at,
  version: 1,
};

export const sampleProject: Project = {
  id: `prj_${ulid(1)}` as ProjectId,
  name: 'Substation 14 refit',
  instructions: '',
  chatbotId: null,
  createdAt: at,
  revision: 1,
};

export const sampleDocument: Document = {
  id: sampleIds.document,
  connectionId: sampleIds.connection,
  name: 'Runbook.md',
  mediaType: 'text/markdown',
  bytes: 3200,
  status: 'searchable',
  failure: null,
  unreadAttachments: [],
  progress: null,
  passageCount: 14,
  uploadedBy: 'Ines Vardale',
  createdAt: at,
  asOf: at,
  indexedAt: at,
  address: null,
  triedAt: null,
  version: 1,
};

/** A role of the organisation's own. */
export const sampleRole = (permissions: readonly Permission[], over: Partial<Role> = {}): Role => ({
  id: sampleIds.role,
  name: 'Bot builder',
  permissions,
  memberCount: 4,
  version: 1,
  ...over,
});
/** The built-in ones, and the given ones after them. */
export const sampleRoles = (...own: readonly Role[]): Role[] => [
  ...orgRoles.map((id) => ({ id, name: null, permissions: permissionsOf(id), memberCount: 1, version: 1 })),
  ...own,
];
export const sampleMember = (over: Partial<Member> = {}): Member => ({
  userId: `usr_${ulid(7)}` as UserId,
  name: 'Kei Amasato',
  picture: null,
  email: 'kei@lindmoor.example',
  role: sampleIds.role,
  groupIds: [],
  status: 'active',
  reason: null,
  source: 'invitation',
  joinedAt: at,
  version: 3,
  ...over,
});
export const sampleKey = (over: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_${ulid(1)}` as ApiKey['id'],
  owner: { userId: sampleIds.user, name: 'Ines Vardale' },
  name: 'Night report',
  prefix: 'plk_9tZr',
  permissions: ['chat:create', 'chat:read'],
  createdAt: at,
  endsAt: new Date(Date.now() + 60 * 24 * 3_600_000).toISOString(),
  lastUsedAt: null,
  lastUsedFrom: null,
  ended: null,
  ...over,
});
export const sampleGroup: Group = { id: sampleIds.group, name: 'Service desk', memberCount: 1, version: 2 };

/** As `GET …/path` answers of a chat without branches. */
export const samplePath = (items: readonly Message[]) => ({
  items: [...items],
  sequence: Math.max(0, ...items.map(({ sequence }) => sequence)),
  hasOlder: false,
  title: sampleConversation.title,
  leafId: items.at(-1)?.id ?? null,
  placeVersion: 0,
  versions: [],
  elsewhere: [],
});
