import type { ConversationId } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import { eventually } from '@parley/testing/eventually';
import assert from 'node:assert/strict';
import { PatientClient } from '../patient-client.ts';
import type { Checks } from './checks.ts';
import { readFacts, type Facts } from './facts.ts';
import type { Expected } from './fixture.ts';
import { compareLines } from './line-checks.ts';
import { answerTo, providerKey, type Outside } from './outside.ts';
import { emailOf, names, password, type Name, type People } from './people.ts';
import { ask, patienceMs, untilEnded } from './talk.ts';
import { compareTree } from './tree.ts';
import { compareWaiting } from './waiting.ts';

export type Opened = {
  /** Which installation it is, in what is printed. */
  readonly label: string;
  readonly url: string;
  readonly expected: Expected;
  readonly outside: Outside;
  /** Marks an installation restored from the backup, which lacks the unread document and some of the waiting work. */
  readonly isBackup: boolean;
  /** It is the fixture's own present there: figures by period are still those. */
  readonly isOwnPresent: boolean;
};

/** Checks that an upgraded installation has all that the fixture had, and works. */
export async function checkInstallation(checks: Checks, opened: Opened): Promise<void> {
  const { label, expected } = opened;
  const people = await checks.that(`${label}: everybody signs in`, () => signIn(opened));
  if (!people) return;
  const that = (what: string, act: () => Promise<unknown>) => checks.that(`${label}: ${what}`, act);
  await that('people, chats, documents, budgets, ledger and permissions are as they were', () =>
    compareFacts(opened, people),
  );
  await that('the queued question is answered', () => finishQueued(expected, people));
  await that('the answer that was being written is finished, and nothing stays held', () =>
    finishRunning(opened, people),
  );
  if (expected.lines)
    await that('chats of one line open as people saw them, and a model is told what it would have been told', () =>
      compareLines(opened, people),
    );
  const { tree } = expected;
  if (tree)
    await that('a chat with branches opens where it was left, its queue is answered, the draft is there', () =>
      compareTree(people.Cleo, tree),
    );
  const { waiting } = expected;
  if (waiting && !opened.isBackup)
    await that('imports, exports and files that waited end with all that they were to have', () =>
      compareWaiting(opened.url, waiting, opened.outside),
    );
  if (!opened.isBackup) await that('the unread document becomes searchable', () => readUnread(expected, people));
  await that('a new question is answered with the stored provider key', () => askAnew(opened, people));
  await that('a hard limit refuses', () => refuse(people));
  await that('the hard limit whose id another organisation took is enforced', () => refuseShadowed(expected, people));
  await that('the dead letter is listed, replayed and audited', () => replay(expected, people));
  await that('an invitation link admits, and the webhook is sent', () => joinByLink(opened, people));
  await that('an API key works', () => useKey(opened));
}

async function signIn({ url, expected }: Opened): Promise<People> {
  const people = {} as Record<Name, ParleyClient>;
  for (const name of names) {
    people[name] = new PatientClient(url);
    await eventually(() => people[name].signIn(emailOf(name), password), `${name} should sign in`, patienceMs);
    people[name].orgId = expected.orgIds[name === 'Eva' || name === 'Finn' ? 'Lighthouse' : 'Harbour'] as never;
  }
  return people;
}

const addedBy = ({ running, queued, unread, tree, lines = [] }: Expected) => ({
  conversationIds: [running, queued, ...(tree ? [tree] : []), ...lines].map(({ conversationId }) => conversationId),
  documentIds: [unread.id],
});

async function compareFacts({ expected, isOwnPresent }: Opened, people: People): Promise<void> {
  const facts = await readFacts(people, addedBy(expected));
  assert.deepEqual(withoutFigures(facts), onlyKnown(withoutFigures(expected.facts), withoutFigures(facts)));
  if (isOwnPresent) compareFigures(expected.facts, facts);
}

type Figure = { readonly id: string; readonly spent: number; readonly held: number };
const figuresOf = (facts: Facts, organisation: string) =>
  facts.organisations[organisation]!['figures'] as readonly Figure[];

function withoutFigures({ organisations, ...facts }: Facts): Facts {
  const each = Object.entries(organisations).map(([name, { figures: _figures, ...rest }]) => [name, rest] as const);
  return { ...facts, organisations: Object.fromEntries(each) };
}

/** An older fixture does not have what `facts.ts` has learnt to read since. */
function onlyKnown(expected: Facts, { organisations, access }: Facts): Facts {
  const learnt = Object.entries(organisations).map(
    ([name, facts]) => [name, { ...facts, ...expected.organisations[name] }] as const,
  );
  return { ...expected, organisations: Object.fromEntries(learnt), access: { ...access, ...expected.access } };
}

/** What counts the answer that goes on may have grown. */
function compareFigures(expected: Facts, facts: Facts): void {
  assert.deepEqual(figuresOf(facts, 'Lighthouse'), figuresOf(expected, 'Lighthouse'));
  for (const { id, spent } of figuresOf(expected, 'Harbour')) {
    const now = figuresOf(facts, 'Harbour').find((figure) => figure.id === id);
    assert.ok(now && now.spent >= spent, `${id} had spent ${spent}, now ${now?.spent}`);
  }
}

async function finishQueued({ queued }: Expected, people: People): Promise<void> {
  const { generation, text } = await untilEnded(people[queued.name], queued.conversationId as ConversationId);
  assert.equal(generation?.status, 'done');
  assert.match(text, /ninety seconds/);
}

async function finishRunning({ expected, outside }: Opened, people: People): Promise<void> {
  const { running } = expected;
  outside.release();
  const { generation, text } = await untilEnded(people[running.name], running.conversationId as ConversationId);
  assert.deepEqual([generation?.status, text], ['done', answerTo(running.question)]);
  await eventually(
    async () => {
      const { items } = await people.Ada.call('GET /api/billing/budgets');
      assert.deepEqual(
        items.map(({ held }) => held),
        items.map(() => 0),
      );
      const entries = await people.Ada.ledgerEntries();
      assert.ok(
        entries.some(({ conversationId, outcome }) => conversationId === running.conversationId && outcome === 'done'),
      );
    },
    'it should be settled',
    patienceMs,
  );
}

async function readUnread({ unread }: Expected, { Ada }: People): Promise<void> {
  await eventually(
    async () => {
      const { items } = await Ada.call('GET /api/chat/documents', { query: { limit: 100 } });
      assert.equal(items.find(({ id }) => id === unread.id)?.status, 'searchable');
    },
    'it should be searchable',
    patienceMs,
  );
  const { citations } = await ask(Ada, `Which flag does ${unread.word} ask for?`, { model: 'builtin' });
  assert.deepEqual(
    citations.map(({ documentId }) => documentId),
    [unread.id],
  );
}

async function askAnew({ outside }: Opened, { Eva, Ada }: People): Promise<void> {
  for (const person of [Eva, Ada]) {
    const answer = await ask(person, 'Who has the watch tonight?');
    assert.deepEqual([answer.generation?.status, answer.text], ['done', answerTo('Who has the watch tonight?')]);
  }
  assert.deepEqual([...outside.keys], [`Bearer ${providerKey}`]);
}

async function refuse({ Dov }: People): Promise<void> {
  const { generation } = await ask(Dov, 'May I ask one more?');
  assert.deepEqual([generation?.status, generation?.failure], ['failed', 'budget-spent']);
}

const lettersOf = async ({ Ada }: People) =>
  (await Ada.call('GET /api/monitoring/all-organisations/:orgId/service-health', { params: { orgId: Ada.orgId! } }))
    .letters;

/** 0.1.0 kept it as a dead letter and let Ben ask; the migration of its key replays it. */
async function refuseShadowed({ secrets }: Expected, people: People): Promise<void> {
  await eventually(
    async () => assert.ok(!(await lettersOf(people)).some(({ consumer }) => consumer === 'keep-hard-limits')),
    'it should be no dead letter any more',
    patienceMs,
  );
  await eventually(
    async () => {
      const { generation } = await ask(people.Ben, 'How many tokens have I left?');
      assert.match(generation?.failureDetail ?? `${generation?.status}`, new RegExp(secrets.sharedBudgetId));
    },
    'Ben should be refused',
    patienceMs,
  );
}

async function replay({ deadLetterId }: Expected, people: People): Promise<void> {
  const { Ada } = people;
  const isListed = async () => (await lettersOf(people)).some(({ id }) => id === deadLetterId);
  // A service that is slow to answer is left out of the list.
  await eventually(
    async () => assert.ok(await isListed(), 'it is not listed'),
    'the dead letter should be listed',
    patienceMs,
  );
  await Ada.call('POST /api/monitoring/all-organisations/:orgId/dead-letters/replay', {
    params: { orgId: Ada.orgId! },
    body: { service: 'org', ids: [deadLetterId] },
  });
  await eventually(async () => assert.equal(await isListed(), false), 'it should be handled', patienceMs);
  const { items } = await Ada.call('GET /api/org/audit', { query: { act: 'answer.stopped' } });
  assert.ok(items.length >= 1, 'the audit log does not show it');
}

async function joinByLink({ url, expected, outside }: Opened, { Ada }: People): Promise<void> {
  const jo = new PatientClient(url);
  await jo.register({ name: 'Jo', email: emailOf('Jo'), password });
  await jo.call('POST /api/org/my-invitations/accept', { body: { token: expected.secrets.linkToken } });
  const { items } = await Ada.call('GET /api/org/members', { query: { limit: 100 } });
  assert.equal(items.find(({ userId }) => userId === jo.me?.id)?.role, 'member');
  await eventually(() => outside.events.has('membership.added.v1'), 'the webhook should be sent', patienceMs);
}

async function useKey({ url, expected }: Opened): Promise<void> {
  const bearer = { authorization: `Bearer ${expected.secrets.apiKey}` };
  const get = (path: string) => new PatientClient(url).request('GET', path, { headers: bearer });
  assert.deepEqual([(await get('/v1/models')).status, (await get('/api/org/members')).status], [200, 403]);
}
