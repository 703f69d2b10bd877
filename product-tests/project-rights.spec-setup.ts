import { expect } from '@jest/globals';
import type {
  ChatbotId,
  ConnectionId,
  ConversationId,
  FileId,
  MessageId,
  OrgRole,
  Permission,
  ProjectId,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { RefusedCall, type ParleyClient } from '@parley/testing/client';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

/** Names what its actor loses before an act, or never had. */
export const losses = [
  'nothing',
  'project deleted',
  'project of somebody else',
  'project of another organisation',
  'chatbot not offered',
  'connection not shared',
] as const;
export type Loss = (typeof losses)[number];
/** Lists who acts: each was a member, or the owner, when the projects were made. `reader` and `mover` have roles of the organisation's own. */
export const actors = ['owner', 'member', 'guest', 'reader', 'mover'] as const;
export type Actor = (typeof actors)[number];

type Target = { readonly projectId: ProjectId; readonly conversationId: ConversationId; readonly answerId: MessageId };
type Means = {
  readonly chatbotId: ChatbotId;
  readonly connectionId: ConnectionId;
  readonly fileId: FileId;
  /** The person's own chat, in another project or none. */
  readonly otherId: ConversationId;
};
type Doing = { readonly person: ParleyClient } & Target & Means;
type Act = (doing: Doing) => Promise<unknown>;

const ids = () => ({ messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') });
const ask = ({ person, chatbotId }: Doing, conversationId: ConversationId, more: { projectId?: ProjectId } = {}) =>
  person.send(conversationId, 'Where are the relays?', { chatbotId, ...ids(), ...more });
/** The last revision of each project that was changed: a mover can't ask for it. */
const revisions = new Map<ProjectId, number>();
async function change({ person, projectId }: Doing, more: object): Promise<unknown> {
  const params = { projectId };
  const body = { revision: revisions.get(projectId) ?? 1, ...more };
  const changed = await person.call('PATCH /api/chat/projects/:projectId', { params, body });
  revisions.set(projectId, changed.revision);
  return changed;
}

/** Keep this order: the last act changes what the others need. */
export const acts = {
  branch: ({ person, conversationId, answerId: messageId }) =>
    person.call('POST /api/chat/conversations/:conversationId/branches', {
      params: { conversationId },
      body: { id: newId('conversation'), messageId, copies: 'path' },
    }),
  ask: (doing) => ask(doing, doing.conversationId),
  'new chat': (doing) => ask(doing, newId('conversation'), { projectId: doing.projectId }),
  move: ({ person, otherId, projectId }) =>
    person.call('PUT /api/chat/conversation-projects', { body: { conversationIds: [otherId], projectId } }),
  'add file': ({ person, projectId, fileId }) =>
    person.call('PUT /api/chat/projects/:projectId/files/:fileId', { params: { projectId, fileId } }),
  'set chatbot': (doing) => change(doing, { chatbotId: doing.chatbotId }),
  'set connection': (doing) => change(doing, { connectionIds: [doing.connectionId] }),
  restore: ({ person, projectId }) =>
    person.call('POST /api/chat/projects/:projectId/restore', { params: { projectId } }),
} satisfies Record<string, Act>;
export type ActName = keyof typeof acts;

/** A project with a chat whose answer has ended. */
async function aTarget(person: ParleyClient): Promise<Target> {
  const [projectId, conversationId] = [newId('project'), newId('conversation')];
  await person.call('POST /api/chat/projects', { body: { id: projectId, name: 'Substation 14 refit' } });
  const { answer } = await person.send(conversationId, 'Where are the relays?', { projectId });
  await eventually(async () => {
    const { items } = await person.messages(conversationId);
    expect(items.at(-1)?.generation?.status).toBe('done');
  }, 'the answer should be there');
  return { projectId, conversationId, answerId: answer.id };
}

const everybody = { kind: 'everybody' as const };
const nobody = { kind: 'some' as const, roles: [], groupIds: [], userIds: [] };

async function aChatbot(owner: ParleyClient) {
  const { items } = await owner.call('GET /api/chat/chatbots');
  const params = { chatbotId: items.find(({ isDefault }) => isDefault)!.id };
  const { content } = await owner.call('GET /api/chat/chatbot-drafts/:chatbotId', { params });
  const body = { id: newId('chatbot'), content: { ...content, name: 'Grid Engineer' } };
  const draft = await owner.call('POST /api/chat/chatbot-drafts', { body });
  const publish = (revision: number) =>
    owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', {
      params: { chatbotId: draft.id },
      body: { revision, note: '' },
    });
  const { revision } = await publish(draft.revision);
  return {
    id: draft.id,
    /** From then on nobody can use it. */
    async withdraw(): Promise<void> {
      const changed = await owner.call('PUT /api/chat/chatbot-drafts/:chatbotId', {
        params: { chatbotId: draft.id },
        body: { revision, content: { ...content, name: 'Grid Engineer', audience: nobody } },
      });
      await publish(changed.revision);
    },
  };
}

async function aConnection(owner: ParleyClient) {
  const source = { kind: 'upload' as const };
  const body = { id: newId('connection'), name: newId('connection'), source, audience: everybody, schedule: 'manual' };
  const { id, version } = await owner.call('POST /api/chat/connections', { body: body as never });
  return {
    id,
    /** From then on nobody can read it. */
    withdraw: () =>
      owner.call('PATCH /api/chat/connections/:connectionId', {
        params: { connectionId: id },
        body: { version, audience: nobody },
      }),
  };
}

/** Movers can change chats but can't read them. */
const ownRoles: Record<'reader' | 'mover', Permission[]> = {
  reader: ['org:read', 'chat:read'],
  mover: ['org:read', 'chat:update'],
};

async function roleOf(owner: ParleyClient, actor: 'guest' | 'reader' | 'mover'): Promise<OrgRole> {
  if (actor === 'guest') return actor;
  const permissions = ownRoles[actor];
  const { id } = await owner.call('POST /api/org/roles', { body: { id: newId('role'), name: actor, permissions } });
  return id as never;
}

/** All that acts are tried on, once each loss has happened. */
export class ProjectRights {
  private readonly doings = new Map<string, Doing>();
  private running: TestParley | null = null;

  /** Makes what can be lost, then takes it away. */
  async prepare(): Promise<void> {
    const running = (this.running = await startTestParley());
    const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
    const owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
    const { orgId } = owner;
    const [offered, withdrawn] = [await aChatbot(owner), await aChatbot(owner)];
    const [shared, closed] = [await aConnection(owner), await aConnection(owner)];
    const colleague = await newPerson(running.url);
    await plantMember(running.parley, colleague, owner, 'member');
    colleague.orgId = orgId;
    for (const actor of actors) {
      const person = actor === 'owner' ? owner : await newPerson(running.url);
      if (actor !== 'owner') await plantMember(running.parley, person, owner, 'member');
      await person.createOrganisation('Elsewhere');
      const elsewhere = await aTarget(person);
      person.orgId = orgId;
      const { conversationId: otherId } = await aTarget(person);
      for (const loss of losses) {
        const isElse = loss === 'project of somebody else';
        const own = loss === 'project of another organisation' ? elsewhere : await aTarget(isElse ? colleague : person);
        const fileId = newId('file');
        await person.attach(fileId, 'Drawings.md', '# Cabinets');
        const chatbotId = (loss === 'chatbot not offered' ? withdrawn : offered).id;
        const connectionId = (loss === 'connection not shared' ? closed : shared).id;
        this.doings.set(`${actor}/${loss}`, { person, ...own, chatbotId, connectionId, fileId, otherId });
      }
      const params = { projectId: this.doings.get(`${actor}/project deleted`)!.projectId };
      await person.call('DELETE /api/chat/projects/:projectId', { params });
    }
    await Promise.all([withdrawn.withdraw(), closed.withdraw()]);
    for (const actor of ['guest', 'reader', 'mover'] as const) await this.takeRights(owner, actor);
  }

  /** Returns the code with which it is refused, or `done`. */
  async try(actor: Actor, act: ActName, loss: Loss): Promise<string> {
    try {
      const answer = await acts[act](this.doings.get(`${actor}/${loss}`)!);
      const [moved] = (answer as { results?: { code: string | null }[] } | undefined)?.results ?? [];
      return moved?.code ?? 'done';
    } catch (error) {
      if (error instanceof RefusedCall) return error.problem.code;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.running?.close();
  }

  private async takeRights(owner: ParleyClient, actor: 'guest' | 'reader' | 'mover'): Promise<void> {
    const { person } = this.doings.get(`${actor}/nothing`)!;
    const members = await owner.call('GET /api/org/members');
    const { version } = members.items.find(({ userId }) => userId === person.me!.id)!;
    const params = { userId: person.me!.id };
    const body = { role: await roleOf(owner, actor), version };
    await owner.call('PUT /api/org/members/:userId/role', { params, body });
    await eventually(async () => {
      const made = person.call('POST /api/chat/projects', { body: { id: newId('project'), name: 'None' } });
      await expect(made).rejects.toMatchObject({ problem: { code: 'platform.forbidden' } });
    }, 'the new role should count');
  }
}
