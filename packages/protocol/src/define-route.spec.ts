import { expect, test } from '@jest/globals';
import { z } from 'zod';
import type { OrgId } from './ids.ts';
import {
  defineRoute,
  type BodyOf,
  type CallOf,
  type QueryOf,
  type ResponseOf,
  type TabCallOf,
} from './define-route.ts';
import { pageQuery } from './paging.ts';

const note = z.strictObject({ id: z.string().brand<'NoteId'>() });
const listNotes = defineRoute({
  service: 'chat',
  route: 'GET /api/chat/notes',
  scope: 'organisation',
  cost: 'read',
  permission: 'chat:read',
  query: pageQuery,
  response: z.array(note),
});
const renameMe = defineRoute({
  service: 'auth',
  route: 'PATCH /api/auth/name',
  scope: 'person',
  cost: 'write',
  status: 204,
  body: z.strictObject({ name: z.string() }),
});

const switchMe = defineRoute({
  service: 'auth',
  route: 'PUT /api/auth/switch',
  scope: 'person',
  cost: 'write',
  status: 204,
  body: z.discriminatedUnion('to', [
    z.strictObject({ to: z.literal('on') }),
    z.strictObject({ to: z.literal('off'), reason: z.string() }),
  ]),
});

test('a route keeps its method and path as literal types', () => {
  const method: 'GET' = listNotes.method;
  const path: '/api/auth/name' = renameMe.path;
  expect([method, listNotes.path, renameMe.method, path]).toEqual([
    'GET',
    '/api/chat/notes',
    'PATCH',
    '/api/auth/name',
  ]);
});

test('handlers get parsed input, callers can leave out defaults, tabs name their organisation', () => {
  const query: QueryOf<typeof listNotes> = { limit: 50 };
  const body: BodyOf<typeof renameMe> = { name: 'Ines' };
  const nothing: ResponseOf<typeof renameMe> = undefined;
  const call: CallOf<typeof listNotes> = {};
  const ofTab: TabCallOf<typeof listNotes> = { orgId: 'org_1' as OrgId };
  const ofPerson: TabCallOf<typeof renameMe> = { body };
  const ofOneKind: CallOf<typeof switchMe> = { body: { to: 'off', reason: 'night' } };
  expect(ofOneKind.body.to).toBe('off');
  expect([query.limit, body.name, nothing, call.query, ofTab.orgId, ofPerson.orgId]).toEqual([
    50,
    'Ines',
    undefined,
    undefined,
    'org_1',
    undefined,
  ]);
});

test('wrong input doesn’t compile', () => {
  const base = { service: 'chat', route: 'GET /api/chat/x' } as const;
  // @ts-expect-error -- a route of an organisation names a right
  defineRoute({ ...base, scope: 'organisation', cost: 'read' });
  // @ts-expect-error -- only a route of an organisation has one
  defineRoute({ ...base, scope: 'person', cost: 'read', permission: 'chat:read' });
  // @ts-expect-error -- a route that can be called from outside names what it costs
  defineRoute({ ...base, scope: 'person' });
  // @ts-expect-error -- visitors are bounded by their address, which this class doesn't count
  defineRoute({ ...base, scope: 'public', cost: 'question' });
  // @ts-expect-error -- services count nothing among themselves
  defineRoute({ ...base, scope: 'internal', cost: 'read' });
  // @ts-expect-error -- a property that no route has
  defineRoute({ ...base, scope: 'person', cost: 'read', responce: note });
  // @ts-expect-error -- no method
  defineRoute({ ...base, route: '/api/chat/x', scope: 'person', cost: 'read' });
  // @ts-expect-error -- the body is missing
  const withoutBody: CallOf<typeof renameMe> = {};
  // @ts-expect-error -- the organisation is missing
  const withoutOrganisation: TabCallOf<typeof listNotes> = {};
  // @ts-expect-error -- a person's route belongs to no organisation
  const ofNoOrganisation: TabCallOf<typeof renameMe> = { body: { name: 'x' }, orgId: 'org_1' as OrgId };
  // @ts-expect-error -- another query
  const otherQuery: CallOf<typeof listNotes> = { query: { page: 2 } };
  // @ts-expect-error -- a plain text is no id
  const noId: ResponseOf<typeof listNotes> = [{ id: 'x' }];
  expect([withoutBody, withoutOrganisation, ofNoOrganisation, otherQuery, noId].length).toBe(5);
});
