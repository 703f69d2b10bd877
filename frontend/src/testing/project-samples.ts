import type { Conversation, ConversationId, Project, ProjectId } from '@parley/contracts';
import type { Answer } from '../lib/http.ts';
import type { Handlers } from './fake-api.ts';
import { sampleConversation, sampleModel, sampleProject } from './samples.ts';

type CountedProject = Answer<'GET /api/chat/projects/:projectId'>;
const one = 'api/chat/projects/:projectId';

/** A project by its name. */
export const projectOf = (name: string, more: Partial<Project> = {}): Project => ({
  ...sampleProject,
  id: `prj_${name
    .toUpperCase()
    .replaceAll(/[^A-H]/g, '0')
    .padEnd(26, '0')
    .slice(0, 26)}` as ProjectId,
  name,
  ...more,
});

/** A chat of the sample's project. */
export const inProject = (title: string, digit: number, more: Partial<Conversation> = {}): Conversation => ({
  ...sampleConversation,
  id: `cnv_${String(digit).repeat(26)}` as ConversationId,
  title,
  projectId: sampleProject.id,
  ...more,
});

const listed = ({
  chats: _chats,
  archivedChats: _archivedChats,
  unread: _unread,
  ...project
}: CountedProject): Project => project;

type Scene = {
  readonly project?: Partial<CountedProject>;
  readonly chats?: readonly Conversation[];
  readonly others?: readonly Project[];
};

/** A server that has the sample's project with these chats, and changes it as it is asked to. */
export function projectHandlers({ project = {}, chats = [], others = [] }: Scene = {}): Handlers {
  let now: CountedProject = { ...sampleProject, chats: chats.length, archivedChats: 0, unread: 0, ...project };
  const draft = { revision: 1, others: [], files: [] };
  return {
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/projects': ({ query }) => ({ items: query.only ? [] : [listed(now), ...others], nextCursor: null }),
    'GET /api/chat/conversations': ({ query }) => ({
      items: query.project === sampleProject.id ? [...chats] : [],
      nextCursor: null,
    }),
    'GET /api/chat/drafts/:where': () => ({ ...draft, text: '' }),
    'PUT /api/chat/drafts/:where': ({ body }) => ({ ...draft, text: body.text }),
    [`GET /${one}`]: () => now,
    [`PATCH /${one}`]: ({ body: { revision: _revision, ...fields } }) => {
      now = { ...now, ...fields, revision: now.revision + 1 };
      return listed(now);
    },
  };
}
