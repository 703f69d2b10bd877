import type { RouteContract } from '@parley/protocol';
import type { RowRequest, World } from '../matrix/rows.spec-setup.ts';

/** What was read of a route, by its name. */
export type Opened = Map<string, { readonly request: RowRequest; readonly text: string }[]>;

/** The query without which a route can't be read, or by which a page reads all that acts may change. */
const queries: Readonly<Record<string, Record<string, string>>> = {
  'GET /api/chat/feedback': { state: 'all', limit: '100' },
  'GET /api/chat/feedback-counts': { days: '7' },
  'GET /api/org/members/:userId/access': { permission: 'chat:read', thing: 'own' },
};

/** Where a page finds the things that it opens: the list, and the field of its items. */
const openedFrom: Readonly<Record<string, { readonly list: string; readonly field?: string }>> = {
  chatbotId: { list: 'GET /api/chat/chatbot-drafts' },
  runId: { list: 'GET /api/chat/chatbot-drafts/:chatbotId/test-runs' },
  connectionId: { list: 'GET /api/chat/connections' },
  documentId: { list: 'GET /api/chat/documents' },
  feedbackId: { list: 'GET /api/chat/feedback' },
  curatedAnswerId: { list: 'GET /api/chat/curated-answers' },
  importId: { list: 'GET /api/chat/imports' },
  projectId: { list: 'GET /api/chat/projects' },
  orderId: { list: 'GET /api/billing/orders' },
  invoiceId: { list: 'GET /api/billing/invoices' },
  userId: { list: 'GET /api/org/members', field: 'userId' },
};
const queriedFrom: Readonly<Record<string, { readonly name: string; readonly list: string }>> = {
  'GET /api/chat/deleted-documents': { name: 'connectionId', list: 'GET /api/chat/connections' },
};

/** Routes that aren't compared although messages make what else is read under their resource old, each with its reason. */
export const readWhenOpened: Readonly<Record<string, string>> = {
  'GET /api/chat/connections/:connectionId/uses': 'A question before something is deleted, read when it is asked.',
  'GET /api/chat/embedding': 'Read again while vectors are missing, and else when its panel is opened.',
};

export type Fields = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** Fields that differ although nothing was done, or of which nobody is told, by route and each with its reason. */
export const untold: Fields = {
  'GET /api/auth/sessions': { lastUsedAt: 'The reads of the session itself move it, once a minute.' },
  'GET /api/chat/connections': {
    usedBytes: 'Files of chats count, too; telling everybody of each would tell when people attach some.',
  },
  'GET /api/monitoring/active-users': { actedAt: 'As the last use of a session.' },
  'GET /api/org/organisations': {
    memberCount:
      'In the list of all my organisations only, read when it is opened; else each who joins makes all tabs read.',
  },
};
/** Those that aren't told to people without a permission. */
export const untoldToGuests: Fields = {
  'GET /api/chat/models': {
    documentCount: 'Only those who see documents are told: a sync tells of thousands.',
    indexedAt: 'As the number of documents.',
  },
};

export const queryOf = ({ route }: RouteContract): RowRequest => {
  const query = queries[route];
  return query ? { query } : {};
};

/** One request for each thing that the lists show, or the only one. */
export function oneOf(route: RouteContract, lists: Opened, { conversationId }: World): RowRequest[] {
  const plain = queryOf(route);
  const queried = queriedFrom[route.route];
  if (queried) return idsIn(lists, queried.list, 'id').map((id) => ({ query: { ...plain.query, [queried.name]: id } }));
  const [, param] = /:([A-Za-z]+)/.exec(route.path) ?? [];
  if (param === undefined) return [plain];
  // The list of chats isn't compared.
  if (param === 'conversationId') return [{ params: { conversationId } }];
  const from = openedFrom[param];
  if (!from) throw new Error(`${route.route}: where does a page find a ${param}?`);
  return idsIn(lists, from.list, from.field ?? 'id').map((id) => ({ ...plain, params: { [param]: id } }));
}

function idsIn(lists: Opened, list: string, field: string): string[] {
  return (lists.get(list) ?? []).flatMap(({ text }) =>
    (JSON.parse(text) as { items: Record<string, string>[] }).items.map((item) => item[field]!),
  );
}
