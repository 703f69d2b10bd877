import type { GenerationId, LedgerEntry, listLedgerEntries, Message } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import { leafOf, type ConversationStreamState } from '@parley/frontend/conversation-stream';
import type { ParleyClient } from '@parley/testing/client';
import type { ConversationRecord, Evidence } from './evidence.ts';
import type { FollowedConversation } from './followed-conversation.ts';
import { signInToJudge, type Group } from './people.ts';
import type { Person } from './person.ts';
import { pause, readAnswer } from './world.ts';

const settleWithinMs = 120_000;
/** A member of a Kafka group that was killed holds its partitions for ten seconds. */
const billedWithinMs = 180_000;
const finals = new Set(['done', 'stopped', 'failed', 'interrupted']);

export type GenerationFact = {
  readonly id: GenerationId;
  readonly status: string;
  readonly epoch: number;
  readonly isResumed: boolean;
};

/** Everything that a fresh client reads of a conversation, oldest first. */
export async function readAll(client: ParleyClient, { id }: ConversationRecord): Promise<Message[]> {
  const all: Message[] = [];
  for (let before: number | undefined; ;) {
    const page = await client.messages(id, { limit: 100, before });
    all.unshift(...page.items);
    const [first] = page.items;
    if (!page.hasOlder || !first) return all;
    before = first.position;
  }
}

/** Asks the product as a client that was never there before, and compares. */
export async function judgeMessages(evidence: Evidence, people: readonly Person[]): Promise<Message[]> {
  const answers: Message[] = [];
  for (const person of people) {
    const fresh = await signInToJudge(person.client);
    for (const record of evidence.conversations.values()) {
      if (record.owner !== person.client || record.acknowledged.length === 0) continue;
      const messages = await readAll(fresh, record);
      judgeConversation(evidence, record, messages);
      await judgeNotes(evidence, record, { fresh, messages });
      for (const tab of person.tabs) await judgeTab(evidence, tab.conversation(record.id), { fresh, all: messages });
      answers.push(...messages.filter(({ role }) => role === 'assistant'));
    }
  }
  return answers;
}

function judgeConversation(evidence: Evidence, record: ConversationRecord, messages: readonly Message[]): void {
  const times = new Map<string, number>();
  for (const { id } of messages) times.set(id, (times.get(id) ?? 0) + 1);
  const wanted = [
    ...record.acknowledged.flatMap(({ question }) => [question.messageId, question.answerId]),
    ...record.retried.map(({ answerId }) => answerId),
  ];
  for (const id of wanted)
    if (!times.has(id)) evidence.note('lost', `${id} of ${record.id} was acknowledged and is not there`);
  for (const [id, count] of times) if (count > 1) evidence.note('doubled', `${id} is there ${count} times`);
  const known = new Set<string>(wanted);
  for (const { id } of messages)
    if (!known.has(id)) evidence.note('doubled', `${id} of ${record.id} is there and nobody has sent it`);
  messages.forEach(({ id, position }, index) => {
    if (position !== index + 1)
      evidence.note('disordered', `${id} is at position ${position} and should be at ${index + 1}`);
  });
  judgeOrder(evidence, record, messages);
  for (const message of messages) if (message.role === 'assistant') judgeAnswer(evidence, record, message);
}

/** Each note is attached to its question alone, and whole. */
async function judgeNotes(
  evidence: Evidence,
  { acknowledged }: ConversationRecord,
  { fresh, messages }: { readonly fresh: ParleyClient; readonly messages: readonly Message[] },
): Promise<void> {
  for (const { question } of acknowledged) {
    const has = messages.find(({ id }) => id === question.messageId)?.files?.map(({ id }) => id) ?? [];
    const wanted = question.note ? [question.note.id] : [];
    if (has.join() !== wanted.join())
      evidence.note('lost', `q${question.serial} has the files ${has.join()} instead of ${wanted.join()}`);
    if (!question.note) continue;
    const response = await fresh.request('GET', `/api/chat/files/${question.note.id}/content`);
    if ((await response.text()) === question.note.text) evidence.notes += 1;
    else evidence.note('lost', `the note of q${question.serial} is not what was sent: ${response.status}`);
  }
}

function judgeOrder(evidence: Evidence, { id, acknowledged }: ConversationRecord, messages: readonly Message[]): void {
  const byId = new Map(messages.map((message) => [message.id, message]));
  let last = 0;
  for (const { question, message, answer } of acknowledged) {
    const [asked, answered] = [byId.get(question.messageId), byId.get(question.answerId)];
    if (!asked || !answered) continue;
    if (asked.text !== question.text)
      evidence.note('lost', `${asked.id} says "${asked.text}" and was sent as "${question.text}"`);
    if (asked.position !== message.position || answered.position !== answer.position)
      evidence.note('disordered', `${asked.id} or its answer is not where the server said`);
    if (asked.position <= last || answered.position !== asked.position + 1)
      evidence.note('disordered', `${asked.id} of ${id} is not in the order of acknowledgement`);
    last = asked.position;
  }
}

function judgeAnswer(
  evidence: Evidence,
  record: ConversationRecord,
  { id, text, generation, parentId }: Message,
): void {
  if (!generation || !finals.has(generation.status))
    return evidence.note('lost', `${id} is ${generation?.status ?? 'without a generation'} for ever`);
  const reading = readAnswer(text);
  const asked = record.acknowledged.find(({ question }) => question.messageId === parentId)?.question.serial;
  if (reading && reading.serial !== asked) evidence.note('doubled', `${id} answers another question`);
  if (generation.status === 'done') {
    if (reading?.isWhole) return;
    evidence.note(
      (reading?.whole.length ?? 0) > text.length ? 'lost' : 'doubled',
      `${id} is done, its text is not what was written: …${text.slice(-60)}`,
    );
  } else {
    if (generation.status === 'failed')
      evidence.refuse(`answer failed: ${generation.failure ?? ''} ${generation.failureDetail ?? ''}`);
    if (text !== '' && !reading?.isPiece)
      evidence.note(
        'doubled',
        `${id} was ${generation.status}, its text is not a beginning of what was written: …${text.slice(-60)}`,
      );
  }
}

async function readBoth(fresh: ParleyClient, followed: FollowedConversation): Promise<Message[]> {
  await followed.loadAllOlder();
  return readPath(fresh, followed);
}

/** The path that a tab shows, as a fresh client reads it. */
async function readPath(fresh: ParleyClient, { state }: FollowedConversation): Promise<Message[]> {
  const path: Message[] = [];
  const leaf = leafOf(state);
  for (let before: number | undefined; ;) {
    const page = await fresh.path(state.conversationId, { limit: 100, before, ...(leaf && { leaf }) });
    path.unshift(...page.items);
    const first = page.items[0]?.depth;
    if (!page.hasOlder || first === undefined) return path;
    before = first;
  }
}

type Read = { readonly fresh: ParleyClient; /** Oldest first. */ readonly all: readonly Message[] };

/**
 * What the frontend's reducer holds in a tab that has lived through it all is what a fresh client reads of the same path;
 * any other message hangs below a version of which the tab knows.
 */
export async function judgeTab(
  evidence: Evidence,
  followed: FollowedConversation,
  { fresh, all }: Read,
): Promise<void> {
  const { conversationId } = followed.state;
  for (const deadline = performance.now() + settleWithinMs; ; await pause(50)) {
    const path = await readBoth(fresh, followed).catch((error: unknown) => {
      if (performance.now() > deadline) throw error;
      return null;
    });
    if (!path) continue;
    const { state } = followed;
    const missing = unknownTo(state, all);
    const [held, wanted] = [state.messages, path].map((messages) => messages.map(contentOf).join(' '));
    if (state.stream === null && held === wanted && missing === 0) return;
    if (performance.now() < deadline) continue;
    if (missing > 0) evidence.note('lost', `a tab lacks ${missing} messages of ${conversationId}`);
    else if (state.messages.length > path.length)
      evidence.note('doubled', `a tab holds more of ${conversationId} than there is`);
    else
      evidence.note(
        'lost',
        `a tab of ${conversationId} ${state.stream ? `waits for ${state.stream.generationId}` : 'holds something else'}: ${held?.slice(0, 200)}`,
      );
    return;
  }
}

/** How many are neither on the path nor below a version that is counted there. */
function unknownTo({ messages, versions }: ConversationStreamState, all: readonly Message[]): number {
  const byId = new Map(all.map((message) => [message.id, message]));
  const path = new Set(messages.map(({ id }) => id));
  const isKnown = (message: Message): boolean => {
    if (path.has(message.id)) return true;
    const parent = message.parentId === null ? null : byId.get(message.parentId);
    if (parent && !path.has(parent.id)) return isKnown(parent);
    return versions.get(message.parentId)?.includes(message.id) ?? false;
  };
  return all.filter((message) => !isKnown(message)).length;
}

const contentOf = ({ id, position, sequence, role, text, generation }: Message): string =>
  JSON.stringify([id, position, sequence, role, text, generation?.status, generation?.epoch]);

type LedgerPage = ResponseOf<typeof listLedgerEntries>;

async function readLedger(owner: ParleyClient): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: LedgerPage = await owner.call('GET /api/billing/ledger-entries', { query: { limit: 100, cursor } });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

/** Waits until billing has nothing new to write, then reads it. */
export async function readLedgers(groups: readonly Group[], attempts: number): Promise<LedgerEntry[]> {
  let entries: LedgerEntry[] = [];
  const owners = await Promise.all(groups.map(({ owner }) => signInToJudge(owner)));
  for (const deadline = performance.now() + billedWithinMs; performance.now() < deadline; await pause(500)) {
    entries = (await Promise.all(owners.map(readLedger))).flat();
    if (entries.filter(({ kind }) => kind === 'answer').length >= attempts) break;
  }
  return entries;
}

/**
 * Each attempt, 1 to the epoch of its generation, has one ledger entry. The only other entries are those of titles: at
 * most one for each chat.
 */
export function judgeLedger(
  evidence: Evidence,
  generations: readonly GenerationFact[],
  entries: readonly LedgerEntry[],
): void {
  judgeTitles(
    evidence,
    entries.filter(({ kind }) => kind === 'title'),
  );
  for (const { id, kind } of entries)
    if (kind === 'embedding') evidence.note('misbilled', `${id} is billed as an embedding, and nothing is embedded`);
  const byAttempt = new Map<string, LedgerEntry[]>();
  for (const entry of entries.filter(({ kind }) => kind === 'answer')) {
    const key = `${entry.generationId}:${entry.attempt}`;
    byAttempt.set(key, [...(byAttempt.get(key) ?? []), entry]);
  }
  for (const { id, epoch, status } of generations) {
    for (let attempt = 1; attempt <= epoch; attempt += 1) {
      const key = `${id}:${attempt}`;
      const found = byAttempt.get(key) ?? [];
      const outcome = attempt === epoch ? status : 'interrupted';
      if (found.length !== 1) evidence.note('misbilled', `${key} has ${found.length} ledger entries`);
      else if (found[0]?.outcome !== outcome)
        evidence.note('misbilled', `${key} was ${outcome} and is billed as ${found[0]?.outcome}`);
      byAttempt.delete(key);
    }
  }
  for (const [key, found] of byAttempt)
    evidence.note('misbilled', `${key} has ${found.length} ledger entries and was no attempt`);
}

/**
 * The provider refuses to write titles, which costs nothing. If a process ends while it asks for a title, the title is
 * billed as `interrupted`, because the provider may have written some of it.
 */
function judgeTitles(evidence: Evidence, titles: readonly LedgerEntry[]): void {
  const chatsOf = new Map<string, number>();
  for (const { owner, acknowledged } of evidence.conversations.values())
    if (owner.me && acknowledged.length > 0) chatsOf.set(owner.me.id, (chatsOf.get(owner.me.id) ?? 0) + 1);
  const titlesOf = new Map<string | null, number>();
  for (const { id, userId, outcome } of titles) {
    titlesOf.set(userId, (titlesOf.get(userId) ?? 0) + 1);
    if (outcome !== 'interrupted')
      evidence.note('misbilled', `${id} is a title that is billed as ${outcome}, and the provider writes none`);
  }
  for (const [userId, count] of titlesOf) {
    const chats = chatsOf.get(userId ?? '') ?? 0;
    if (count > chats) evidence.note('misbilled', `${userId} has ${chats} chats and ${count} titles in the ledger`);
  }
}
