import type { BudgetId, OrgRole, RoleId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import { ParleyClient } from '@parley/testing/client';
import type { Spoken } from './line.ts';
import { talkInLines } from './lines.ts';
import { outsideAddress, providerKey, type Outside } from './outside.ts';
import { emailOf, names, password, type Name, type People } from './people.ts';
import { ask, judge, talk } from './talk.ts';

/** What a check needs and no list shows. */
export type Secrets = {
  readonly apiKey: string;
  readonly linkToken: string;
  /** Of Ben's budget in Harbour: Lighthouse has one with the same id. */
  readonly sharedBudgetId: BudgetId;
};

/** Registers everybody, and does in both organisations once what people do. */
export async function buildScene(
  url: string,
  setupToken: string,
  outside: Outside,
): Promise<{ people: People; secrets: Secrets; lines: readonly Spoken[] }> {
  const people = {} as Record<Name, ParleyClient>;
  for (const name of names) {
    people[name] = new ParleyClient(url);
    const account = { name, email: emailOf(name), password };
    await people[name].register({ ...account, ...(name === 'Ada' && { setupToken }) });
  }
  const { Ada, Ben, Eva } = people;
  await Ada.createOrganisation('Harbour');
  await Eva.createOrganisation('Lighthouse');
  const linkToken = await fillWithPeople(people);
  await setUpModels(people);
  await addDocuments(people);
  // First: facts name the newest entries of the ledger, and those of lines are none of them.
  const lines = await talkInLines(people, outside);
  await talk(people);
  const sharedBudgetId = await limit(people);
  const apiKey = await connectPrograms(Ben);
  await judge(people);
  return { people, secrets: { apiKey, linkToken, sharedBudgetId }, lines };
}

async function fillWithPeople({ Ada, Ben, Cleo, Dov, Gus, Eva, Finn }: People): Promise<string> {
  const roleId = newId('role');
  await Ada.call('POST /api/org/roles', {
    body: {
      id: roleId,
      name: 'Night watch',
      permissions: ['chat:create', 'chat:read', 'chat:delete', 'model:use', 'org:read'],
    },
  });
  const groupId = newId('group');
  await Ada.call('POST /api/org/groups', { body: { id: groupId, name: 'Night shift' } });
  await join(Ada, Ben, 'admin');
  await join(Ada, Cleo, 'member');
  await join(Ada, Dov, roleId);
  await join(Ada, Gus, 'guest');
  await join(Eva, Finn, 'member');
  for (const { userId, version, name } of (await Ada.call('GET /api/org/members')).items)
    if (name === 'Cleo')
      await Ada.call('PUT /api/org/members/:userId/groups', {
        params: { userId },
        body: { version, groupIds: [groupId] },
      });
  const gus = (await Ada.call('GET /api/org/members')).items.find(({ name }) => name === 'Gus')!;
  await Ada.call('PUT /api/org/members/:userId/status', {
    params: { userId: gus.userId },
    body: { version: gus.version, status: 'suspended', reason: 'Away until spring.' },
  });
  const invited = {
    role: 'member' as const,
    groupIds: [],
    message: 'Welcome aboard.',
    locale: 'en' as const,
    days: 30,
  };
  const [open, revoked] = [newId('invitation'), newId('invitation')];
  await Ada.call('POST /api/org/invitations', {
    body: { ...invited, people: [{ id: open, email: 'hana@example.com' }] },
  });
  await Ada.call('POST /api/org/invitations', {
    body: { ...invited, people: [{ id: revoked, email: 'ivo@example.com' }] },
  });
  await Ada.call('DELETE /api/org/invitations/:invitationId', { params: { invitationId: revoked } });
  const link = {
    id: newId('invitation'),
    label: 'Summer crew',
    role: 'member' as const,
    groupIds: [groupId],
    domain: null,
  };
  return (await Ada.call('POST /api/org/invitation-links', { body: { ...link, places: 3, days: 60 } })).token;
}

async function join(owner: ParleyClient, member: ParleyClient, role: OrgRole | RoleId): Promise<void> {
  const { token } = await owner.call('POST /api/org/invitation-links', {
    body: { id: newId('invitation'), label: 'One', role, groupIds: [], domain: null, places: 1, days: 1 },
  });
  await member.call('POST /api/org/my-invitations/accept', { body: { token } });
  member.orgId = owner.orgId;
}

async function setUpModels({ Ada, Eva }: People): Promise<void> {
  const rate = { currency: 'EUR', host: null, model: 'mock-1', validFrom: null, validUntil: null, replaces: null };
  const prices = { inputMicros: 2_000_000, outputMicros: 8_000_000, cachedMicros: 1_000_000 };
  await Ada.call('POST /api/billing/rates', { body: { id: newId('rate'), ...rate, ...prices } });
  for (const [owner, name] of [
    [Ada, 'Harbour models'],
    [Eva, 'Lighthouse models'],
  ] as const)
    await owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name,
        baseUrl: `http://${outsideAddress}/v1`,
        models: ['mock-1'],
        defaultModel: 'mock-1',
        isDefault: true,
        apiKey: providerKey,
      },
    });
  const id = newId('chatbot');
  const content = {
    name: 'Harbour master',
    glyph: 'compass' as const,
    instructions: 'Answer as a harbour master.',
    model: 'builtin' as never,
    fallback: null,
    temperature: null,
    knowledge: { passages: 4, onlyFromDocuments: false, connectionIds: null },
    starters: ['When is high water?'],
    audience: { kind: 'everybody' as const },
  };
  let { revision } = await Ada.call('POST /api/chat/chatbot-drafts', { body: { id, content } });
  const one = { params: { chatbotId: id } };
  const publish = async (note: string) =>
    ({ revision } = await Ada.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', {
      ...one,
      body: { revision, note },
    }));
  await publish('First');
  ({ revision } = await Ada.call('PUT /api/chat/chatbot-drafts/:chatbotId', {
    ...one,
    body: { revision, content: { ...content, instructions: 'Answer as a harbour master, briefly.' } },
  }));
  await publish('Brief');
}

async function addDocuments({ Ada, Eva }: People): Promise<void> {
  await Ada.upload(
    'handbook.md',
    '# Handbook\n\n## Fog\n\nIn fog the horn sounds every ninety seconds.\n\n## Ropes\n\nRopes are checked on Fridays.',
  );
  await Ada.upload('tides.csv', 'port,high water\nNorth pier,06:12\nSouth pier,06:40\n');
  await Ada.upload('scan.pdf', 'no PDF at all');
  const gone = await Ada.upload('old.md', '# Old\n\nThis rule is no longer valid.');
  await Eva.upload('lamp.md', '# Lamp\n\nThe lamp is lit at dusk by whoever has the watch.');
  await Ada.call('POST /api/chat/connections', {
    body: {
      id: newId('connection'),
      name: 'Port site',
      source: {
        kind: 'web',
        start: 'page',
        address: `http://${outsideAddress}/site/`,
        below: '/site/',
        depth: 2,
        pages: 10,
      },
      audience: { kind: 'everybody' },
      schedule: 'manual',
    },
  });
  await eventually(async () => {
    const [{ counts: harbour }, { counts: lighthouse }] = [
      await Ada.call('GET /api/chat/documents'),
      await Eva.call('GET /api/chat/documents'),
    ];
    return harbour.searchable === 5 && harbour.failed === 1 && lighthouse.searchable === 1;
  }, 'the documents should be read');
  await Ada.call('DELETE /api/chat/documents/:documentId', { params: { documentId: gone.id } });
}

/** Budgets of all kinds, one that refuses Dov, and one of Ben's whose hard limit chat never heard of. */
async function limit({ Ada, Ben, Cleo, Dov, Eva, Finn }: People): Promise<BudgetId> {
  const [group] = (await Ada.call('GET /api/org/groups')).items;
  const budget = {
    id: newId('budget'),
    period: 'month' as const,
    unit: 'tokens' as const,
    softLimit: null,
    hardLimit: null,
  };
  const create = (owner: ParleyClient, more: object) =>
    owner.call('POST /api/billing/budgets', { body: { ...budget, id: newId('budget'), ...more } as never });
  await create(Ada, { scope: { kind: 'organisation' }, unit: 'money', softLimit: 50_000_000 });
  await create(Ada, { scope: { kind: 'group', id: group!.id }, softLimit: 20, hardLimit: 1_000_000 });
  await create(Ada, { scope: { kind: 'person', id: Dov.me!.id }, hardLimit: 10 });
  await create(Eva, { scope: { kind: 'organisation' }, hardLimit: 500_000 });
  await ask(Cleo, 'How deep is the basin?');
  await ask(Finn, 'How far is the lamp seen?');
  const discarded = await eventually(async () => {
    const refused = await ask(Dov, 'How high is the crane?');
    if (refused.generation?.failure !== 'budget-spent') throw new Error(`It is ${refused.generation?.status}.`);
    return refused;
  }, 'a question above the limit should be refused');
  await Dov.call('PUT /api/chat/conversations/:conversationId/messages/:messageId/discarded', {
    params: { conversationId: discarded.conversationId, messageId: discarded.parentId! },
    body: { isDiscarded: true },
  });
  const shared = { scope: { kind: 'person' as const, id: Ben.me!.id }, softLimit: 5 };
  const { id, version } = await create(Ada, shared);
  await Eva.call('POST /api/billing/budgets', {
    body: { ...budget, id, scope: { kind: 'model', id: 'builtin' as never }, hardLimit: 900_000 },
  });
  await Ada.call('PUT /api/billing/budgets/:budgetId', {
    params: { budgetId: id },
    body: { version, softLimit: 5, hardLimit: 9 },
  });
  return id;
}

async function connectPrograms(admin: ParleyClient): Promise<string> {
  const types = ['document.changed.v1', 'membership.added.v1', 'feedback.changed.v1'];
  await admin.call('POST /api/monitoring/webhooks', {
    body: { id: newId('webhook'), url: `http://${outsideAddress}/hook`, types },
  });
  const { secret } = await admin.call('POST /api/auth/my-api-keys', {
    body: {
      id: newId('apiKey'),
      name: 'Tide table',
      permissions: ['org:read', 'chat:create', 'chat:read', 'model:use'],
      endsAt: new Date(Date.now() + 360 * 86_400_000).toISOString() as never,
    },
  });
  return secret ?? '';
}
