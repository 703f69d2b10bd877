import type { GenerationId, LedgerEntry, listLedgerEntries, Message, ResponseOf } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import type { ConversationRecord, Evidence } from './evidence.ts';
import type { FollowedConversation } from './followed-conversation.ts';
import { signInAgain, type Group } from './people.ts';
import type { Person } from './person.ts';
import { pause, readAnswer } from './world.ts';

const settleWithinMs = 20_000;
/** A member of a Kafka group that was killed holds its partitions for ten seconds. */
const billedWithinMs = 60_000;
const finals = new Set(['done', 'stopped', 'failed', 'interrupted']);

export type GenerationFact = {
  readonly id: GenerationId;
  readonly status: string;
  readonly epoch: number;
  readonly isResumed: boolean;
};

/** Everything that a fresh client reads of a conversation, oldest first. */
async function readAll(client: ParleyClient, { id }: ConversationRecord): Promise<Message[]> {
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
    const fresh = await signInAgain(person.client);
    for (const record of evidence.conversations.values()) {
      if (record.owner !== person.client || record.acknowledged.length === 0) continue;
      const messages = await readAll(fresh, record);
      judgeConversation(evidence, record, messages);
      for (const tab of person.tabs) await judgeTab(evidence, tab.conversation(record.id), messages);
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

/** What the frontend's reducer holds in a tab that has lived through it all is what a fresh client reads. */
async function judgeTab(
  evidence: Evidence,
  followed: FollowedConversation,
  messages: readonly Message[],
): Promise<void> {
  const wanted = new Map(messages.map((message) => [message.id, contentOf(message)]));
  for (const deadline = performance.now() + settleWithinMs; ; await pause(50)) {
    await followed.loadAllOlder();
    const { state } = followed;
    const isSettled =
      state.stream === null &&
      state.messages.length === messages.length &&
      state.messages.every((message) => wanted.get(message.id) === contentOf(message));
    if (isSettled) break;
    if (performance.now() < deadline) continue;
    const held = new Set(state.messages.map(({ id }) => id));
    const missing = messages.filter(({ id }) => !held.has(id)).length;
    const different = state.messages.filter((message) => wanted.get(message.id) !== contentOf(message));
    if (missing > 0) evidence.note('lost', `a tab lacks ${missing} messages of ${state.conversationId}`);
    else if (state.messages.length > messages.length)
      evidence.note('doubled', `a tab holds more of ${state.conversationId} than there is`);
    else
      evidence.note(
        'lost',
        `a tab of ${state.conversationId} ${state.stream ? `waits for ${state.stream.generationId}` : 'holds something else'}: ${different.map(contentOf).join(' ').slice(0, 200)}`,
      );
    return;
  }
  if (followed.state.messages.some(({ id }, index) => id !== messages[index]?.id))
    evidence.note('disordered', `a tab shows ${followed.state.conversationId} in another order`);
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
  for (const deadline = performance.now() + billedWithinMs; performance.now() < deadline; await pause(500)) {
    entries = (await Promise.all(groups.map(({ owner }) => readLedger(owner)))).flat();
    if (entries.length >= attempts) break;
  }
  return entries;
}

/** Each attempt, 1 to the epoch of its generation, has one ledger entry; nothing else has one. */
export function judgeLedger(
  evidence: Evidence,
  generations: readonly GenerationFact[],
  entries: readonly LedgerEntry[],
): void {
  const byAttempt = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
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
