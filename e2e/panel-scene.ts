import { expect } from '@jest/globals';
import type {
  ChatbotContent,
  ChatbotId,
  ConnectionId,
  ConversationId,
  FeedbackId,
  ImportId,
  MessageId,
} from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { pageOf, pdfOf } from '@parley/testing/files';
import { ines, joinByLink, noor } from './accounts.ts';
import { redImage } from './attaching.ts';
import type { Product } from './edition.ts';

/** As long as names and texts can be. */
const long = 'Substation maintenance and switching operations of the northern grid'.slice(0, 60);
const text = Array.from(
  { length: 40 },
  (_unused, at) => `Step ${at + 1}: check the relay, and note what it shows.`,
).join('\n\n');

/** The ids that paths of panels name: `:org`, `:chat` and so on. */
export type Places = Readonly<
  Record<'org' | 'other' | 'chat' | 'images' | 'project' | 'chatbot' | 'connection' | 'uploads' | 'case', string>
>;

const said = { author: { role: 'user' }, content: { content_type: 'text', parts: ['What failed?'] } };
const exported = (id: string) => ({ id, title: long, mapping: { q1: { id: 'q1', parent: null, message: said } } });

/** An upload to import, with a chat that nobody can read. */
async function uploadDamaged(owner: ParleyClient): Promise<void> {
  await checkUpload(owner, [exported('c-1'), { id: 'c-2', title: long, mapping: 12 }]);
}

/** An import that has ended. */
async function importOne(owner: ParleyClient): Promise<void> {
  const params = { importId: await checkUpload(owner, [exported('c-3')]) };
  const until = (status: string) =>
    eventually(async () => {
      expect(await owner.call('GET /api/chat/imports/:importId', { params })).toMatchObject({ status });
    }, `the import should be ${status}`);
  await until('checked');
  await owner.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await until('done');
}

async function checkUpload(owner: ParleyClient, chats: readonly object[]): Promise<ImportId> {
  const importId = newId('import');
  const content = new TextEncoder().encode(JSON.stringify(chats));
  await owner.call('POST /api/chat/imports', {
    body: { id: importId, files: [{ name: 'chats.json', bytes: content.length }] },
  });
  await owner.sendImportPart({ importId, number: 1, part: 1 }, content);
  await owner.call('POST /api/chat/imports/:importId/check', { params: { importId } });
  return importId;
}

/** An organisation in which there is one of everything that a panel or dialog is about. */
export async function preparePanels({ url }: Pick<Product, 'url'>): Promise<Places> {
  const owner = new ParleyClient(url);
  await owner.signIn(ines.email, ines.password);
  const { id: org } = await owner.createOrganisation('Lindmoor Energy');
  await join(owner, ['Noor Halvani', 'Lena Ort', 'Mara Lind', 'Omar Said']);
  await joinElsewhere(owner);
  const [other, { chatbot, connection }] = await Promise.all([organise(owner), configure(owner), sell(owner)]);
  const complaint = await complain(owner);
  const images = await sendImage(owner);
  const project = newId('project');
  await owner.call('POST /api/chat/projects', { body: { id: project, name: long } });
  await owner.send(newId('conversation'), 'Which cable?', { projectId: project });
  const { items: connections } = await owner.call('GET /api/chat/connections');
  const uploads = connections.find(({ source }) => source.kind === 'upload')!.id;
  await owner.upload('Plan.pdf', new Uint8Array(pdfOf([pageOf('Leave', [['Each has 28 days.']])])));
  // Last: from then on new chats ask it.
  await owner.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'Elsewhere',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: ['plain-1'],
      defaultModel: 'plain-1',
      isDefault: false,
    },
  });
  return { org, other, chatbot, connection, uploads, images, project, ...complaint };
}

/** Enough people have asked something for the lists of pseudonyms to show anybody. */
async function join(owner: ParleyClient, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const member = new ParleyClient(owner.url);
    await member.register({ ...noor, name, email: `${name.slice(0, 4).toLowerCase()}@example.com` });
    await joinByLink(owner, member);
    await member.send(newId('conversation'), 'How many herons are there?');
  }
}

async function joinElsewhere(person: ParleyClient): Promise<void> {
  const { orgId } = person;
  const elsewhere = new ParleyClient(person.url);
  await elsewhere.register({ ...noor, name: 'Ada Elster', email: 'ada.elster@example.com' });
  await elsewhere.createOrganisation('Elsewhere');
  await joinByLink(elsewhere, person);
  person.orgId = orgId;
}

async function organise(owner: ParleyClient): Promise<OrgId> {
  const groupId = newId('group');
  await owner.call('POST /api/org/groups', { body: { id: groupId, name: long } });
  await owner.call('POST /api/org/roles', {
    body: { id: newId('role'), name: 'Switching clerk', permissions: ['chat:read'] },
  });
  await owner.call('POST /api/org/invitations', {
    body: {
      people: [{ id: newId('invitation'), email: 'paulo@example.com' }],
      role: 'member',
      groupIds: [],
      message: null,
      locale: 'en',
      days: 7,
    },
  });
  const place = { groupIds: [], domain: null, places: 1, days: 1 };
  await owner.call('POST /api/org/invitation-links', {
    body: { id: newId('invitation'), label: 'Apprentices', role: 'member', ...place },
  });
  await owner.call('POST /api/auth/my-api-keys', {
    body: {
      id: newId('apiKey'),
      name: 'Nightly report',
      permissions: ['chat:create'],
      endsAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  } as never);
  await owner.call('POST /api/chat/exports', { body: { id: newId('export') } });
  await importOne(owner);
  await uploadDamaged(owner);
  const other = newId('organisation');
  await owner.call('POST /api/org/all-organisations', {
    body: {
      id: other,
      name: 'Westmark',
      owner: { email: 'ada@example.com', invitationId: newId('invitation') },
      locale: 'en',
      seatLimit: 5,
    },
  } as never);
  await owner.call('POST /api/chat/allowed-addresses', { body: { address: '127.0.0.1:11434' } });
  const errorTestId = newId('errorTest');
  await owner.call('POST /api/monitoring/error-tests', { body: { id: errorTestId, kind: 'bff' } });
  await owner
    .call('POST /api/monitoring/error-tests/:errorTestId/failure', { params: { errorTestId } })
    .catch(() => undefined);
  return other;
}

const content: ChatbotContent = {
  name: 'Handbook',
  glyph: 'book',
  instructions: text.slice(0, 2_000),
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 5, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' },
} as never;

async function configure(owner: ParleyClient): Promise<{ chatbot: ChatbotId; connection: ConnectionId }> {
  const chatbotId = newId('chatbot');
  const connection = newId('connection');
  await owner.call('POST /api/chat/chatbot-drafts', { body: { id: chatbotId, content } });
  await owner.call('POST /api/monitoring/webhooks', {
    body: { id: newId('webhook'), url: 'http://127.0.0.1:9/hook', types: ['group.*'] },
  } as never);
  await owner.call('POST /api/chat/curated-answers', {
    body: {
      id: newId('curatedAnswer'),
      questions: ['How much leave do I have?'],
      text: text.slice(0, 2_000),
      chatbotId: null,
    },
  } as never);
  const web = { kind: 'web', start: 'page', address: 'https://wiki.example.org/', below: '/', depth: 1, pages: 10 };
  await owner.call('POST /api/chat/connections', {
    body: { id: connection, name: long, source: web, audience: { kind: 'everybody' }, schedule: 'manual' },
  } as never);
  const { id } = await owner.upload('old.md', '# Old\n\nNothing of it holds.');
  await owner.upload('herons.md', '# Herons\n\nLindmoor has thirty-one grey herons in the marsh.');
  await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId: id } });
  return { chatbot: chatbotId, connection };
}

async function sell(owner: ParleyClient): Promise<void> {
  const price = {
    host: null,
    model: 'gpt-5',
    inputMicros: 1_000_000,
    outputMicros: 2_000_000,
    cachedMicros: 1_000_000,
  };
  await owner.call('POST /api/billing/rates', {
    body: { id: newId('rate'), currency: 'EUR', ...price, validFrom: null, validUntil: null, replaces: null },
  });
  const address = ['Harbour Road 1', 'Lindmoor'];
  const seller = { name: 'Parley GmbH', address, taxNumber: null, payment: ['IBAN DE00'] };
  await owner.call('PUT /api/billing/sales-terms', {
    body: { currency: 'EUR', seatMinor: 1_000, seller, dueDays: 14, version: 0 },
  });
  const params = { orgId: owner.orgId! };
  const { version } = await owner.call('GET /api/org/all-organisations/:orgId', { params });
  await owner.call('PUT /api/org/all-organisations/:orgId/seat-limit', { params, body: { version, seatLimit: 20 } });
  const ordered = { seats: 5, months: 3, seatMinor: 1_000, currency: 'EUR', reference: null };
  const buyer = { name: 'Lindmoor Energy', address, taxNumber: null };
  const place = () => owner.call('POST /api/billing/orders', { body: { id: newId('order'), ...ordered, buyer } });
  const { order } = await place();
  await owner.call('PUT /api/billing/all-orders/:orderId/decision', {
    params: { orderId: order.id },
    body: { version: order.version, decision: 'confirmed' },
  });
  await place();
  await owner.call('POST /api/billing/budgets', {
    body: {
      id: newId('budget'),
      scope: { kind: 'organisation' },
      period: 'month',
      unit: 'tokens',
      hardLimit: 1_000_000,
      softLimit: 500_000,
    },
  } as never);
}

/** A chat with an image in its question. */
async function sendImage(owner: ParleyClient): Promise<ConversationId> {
  const [conversationId, fileId] = [newId('conversation'), newId('file')];
  await owner.attach(fileId, redImage.name, new Uint8Array(redImage.buffer));
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: fileId } });
    return items[0]?.status === 'ready';
  }, 'the image should be read');
  await owner.send(conversationId, 'What is this?', { files: [{ id: fileId, use: 'whole' }] });
  return conversationId;
}

/** A case: an answer that was rated bad, with the chat sent along. */
async function complain(owner: ParleyClient): Promise<{ chat: ConversationId; case: FeedbackId }> {
  const conversationId = newId('conversation');
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/documents');
    return items.some(({ status }) => status === 'searchable');
  }, 'the document should be searchable');
  await owner.send(conversationId, 'How many herons are there?', ids);
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    return items[1]?.generation?.status === 'done';
  }, 'the answer should end');
  await owner.call('PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback', {
    params: { conversationId, messageId: ids.answerId as MessageId },
    body: { rating: 'down', reasons: ['incomplete'], comment: text.slice(0, 900), messages: 2 },
  } as never);
  const gone = newId('conversation');
  await owner.send(gone, 'And the frogs?');
  await owner.call('DELETE /api/chat/conversations/:conversationId', { params: { conversationId: gone } });
  const [found] = (await owner.call('GET /api/chat/feedback')).items;
  return { chat: conversationId, case: found!.id };
}
