import type {
  ConversationId,
  ConversationOpen,
  GenerationFrame,
  GenerationId,
  Message,
  MessageId,
} from '@parley/contracts';

/**
 * What a client knows of one conversation: durable messages plus the running answer's live text. Pure and without
 * dependencies, so that the browser and the acceptance tests share these rules: frames already seen are dropped, a gap
 * is noticed and keeps the text, a higher epoch starts anew while the old text stays visible until the first new token,
 * and a durable message wins over the stream that it ends.
 */
export type ConversationStreamState = {
  readonly conversationId: ConversationId;
  /** The conversation's sequence up to which everything durable is known: the next `?after=`. */
  readonly sequence: number;
  /** By position; several answers of one question are all here. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly title: string;
  readonly stream: LiveAnswer | null;
  /** An answer that is being asked for: its frames may come before its message. */
  readonly expected: Pick<LiveAnswer, 'generationId' | 'answerId'> | null;
};

export type LiveAnswer = {
  readonly generationId: GenerationId;
  readonly answerId: MessageId;
  readonly epoch: number;
  /** Last frame applied; 0 when only the epoch is known. */
  readonly seq: number;
  readonly text: string;
  /** What the model thinks, in this attempt. */
  readonly thoughts: string;
  /** Text of the attempt before, shown until this one has its first token. */
  readonly earlierText: string;
  /** A frame is missing: ask again with `streamToFollow`. */
  readonly gap: boolean;
  /** The stream is closed: fetch the durable message. */
  readonly end: GenerationFrame[5] | null;
};

export type MessagePage = {
  items: readonly Message[];
  sequence: number;
  hasOlder: boolean;
  hasNewer?: boolean | undefined;
  title: string;
};

/** Text to show for an answer, and whether it belongs to an attempt that was interrupted. */
export type VisibleText = { text: string; isEarlierAttempt: boolean };

const finished: ReadonlySet<string> = new Set(['done', 'stopped', 'failed', 'interrupted']);

export function emptyConversation(conversationId: ConversationId): ConversationStreamState {
  return { conversationId, sequence: 0, messages: [], hasOlder: false, title: '', stream: null, expected: null };
}

/** The newest page: replaces what was known, keeps the live text if its answer still runs. */
export function applyNewestPage(state: ConversationStreamState, page: MessagePage): ConversationStreamState {
  if (page.sequence < state.sequence) return state;
  const first = page.items[0]?.position ?? 0;
  const before = state.messages.filter((message) => page.hasOlder && message.position < first);
  // Messages far before the page would leave a hole that no older page fills.
  const older = before.at(-1)?.position === first - 1 ? before : [];
  const hasOlder = older.length > 0 ? state.hasOlder : page.hasOlder;
  return settleStream({
    ...state,
    title: page.title,
    hasOlder,
    sequence: page.sequence,
    messages: mergeMessages(older, page.items),
  });
}

/** Everything changed since `sequence`. */
export function applyChanges(state: ConversationStreamState, page: MessagePage): ConversationStreamState {
  // What is before the first known message comes with its older page, whole.
  const first = state.hasOlder ? (state.messages[0]?.position ?? 0) : 0;
  const messages = mergeMessages(
    state.messages,
    page.items.filter((message) => message.position >= first),
  );
  return settleStream({ ...state, title: page.title, messages, sequence: Math.max(state.sequence, page.sequence) });
}

/** A page before the first known message. */
export function applyOlderPage(state: ConversationStreamState, page: MessagePage): ConversationStreamState {
  return { ...state, messages: mergeMessages(state.messages, page.items), hasOlder: page.hasOlder };
}

/** Messages known from the answer of a command; the sequence stays, for others may have changed between. */
export function applyMessages(state: ConversationStreamState, items: readonly Message[]): ConversationStreamState {
  return settleStream({ ...state, messages: mergeMessages(state.messages, items) });
}

export function applyFrames(
  state: ConversationStreamState,
  frames: readonly GenerationFrame[],
): ConversationStreamState {
  return frames.reduce(applyFrame, state);
}

export function applyFrame(state: ConversationStreamState, frame: GenerationFrame): ConversationStreamState {
  const [generationId, epoch, seq] = frame;
  const held = state.stream?.generationId === generationId ? state.stream : null;
  if (isOver(state, frame) || (!held && !isNewer(state, generationId))) return state;
  const answerId = answerOf(state, generationId);
  if (!answerId) return state;
  if (!held || epoch > held.epoch)
    return { ...state, stream: append(startOf(state, held, { generationId, answerId, epoch }), frame) };
  if (epoch < held.epoch || held.end || seq <= held.seq) return state;
  const stream = append(held, frame);
  return stream === held ? state : { ...state, stream };
}

/** To be told before asking for an answer whose frames are to be shown from the first on. */
export function expectAnswer(
  state: ConversationStreamState,
  expected: NonNullable<ConversationStreamState['expected']>,
): ConversationStreamState {
  return { ...state, expected };
}

/** What to send with `conversation.open`: the running answer, from where it is held; undefined where none is known. */
export function streamToFollow(state: ConversationStreamState): ConversationOpen['stream'] {
  const { stream } = state;
  const running = runningAnswer(state)?.generation;
  if (stream && (!running || running.id === stream.generationId))
    return stream.end ? undefined : { generationId: stream.generationId, epoch: stream.epoch, seq: stream.seq };
  return running ? { generationId: running.id, epoch: 0, seq: 0 } : undefined;
}

/** Frames are missing: open the conversation again with what is held. */
export const needsReopen = (state: ConversationStreamState): boolean => state.stream?.gap === true;

/** The stream ended, but its durable message is not here yet: fetch `?after=`. */
export const needsFetch = (state: ConversationStreamState): boolean => state.stream?.end != null;

export function visibleText(state: ConversationStreamState, message: Message): VisibleText {
  const { stream } = state;
  if (!stream || stream.answerId !== message.id) return durableText(message);
  const checkpointEpoch = message.generation?.epoch ?? 0;
  if (stream.epoch < checkpointEpoch) return { text: message.text, isEarlierAttempt: false };
  const isSameAttempt = stream.epoch === checkpointEpoch;
  // A replay starts from the beginning: never show less than the checkpoint that is known.
  if (isSameAttempt && message.text.length > stream.text.length) return { text: message.text, isEarlierAttempt: false };
  if (stream.text === '') {
    const text = stream.earlierText || message.text;
    return { text, isEarlierAttempt: text !== '' };
  }
  return { text: stream.text, isEarlierAttempt: false };
}

/** What its model thought, or thinks right now; empty where that is nothing, or not told. */
export function visibleThoughts({ stream }: ConversationStreamState, message: Message): string {
  const isLive = stream?.answerId === message.id && stream.epoch >= (message.generation?.epoch ?? 0);
  return isLive ? stream.thoughts : (message.generation?.thoughts?.text ?? '');
}

/** Without frames. As long as nothing is written for an answer, what it shows is the text that it continues. */
export function durableText(message: Message): VisibleText {
  const isBeginning = isRunning(message) && message.generation?.epoch === 0 && message.text !== '';
  return { text: message.text, isEarlierAttempt: isBeginning };
}

/** The answer that is queued or being written, if any. */
export function runningAnswer(state: ConversationStreamState): Message | null {
  return state.messages.findLast((message) => isRunning(message)) ?? null;
}

export function isRunning(message: Message): boolean {
  return message.generation !== null && !finished.has(message.generation.status);
}

/** Null for an answer of another conversation, or of this one if nothing has told of it yet. */
function answerOf(
  { stream, expected, messages }: ConversationStreamState,
  generationId: GenerationId,
): MessageId | null {
  const named = [stream, expected].find((candidate) => candidate?.generationId === generationId);
  return named?.answerId ?? messages.findLast((message) => message.generation?.id === generationId)?.id ?? null;
}

function startOf(
  state: ConversationStreamState,
  held: LiveAnswer | null,
  begun: Pick<LiveAnswer, 'generationId' | 'answerId' | 'epoch'>,
): LiveAnswer {
  const message = state.messages.find((candidate) => candidate.id === begun.answerId);
  const checkpoint = message?.generation && message.generation.epoch < begun.epoch ? message.text : '';
  const heldText = held ? held.text || held.earlierText : '';
  return {
    ...begun,
    seq: 0,
    text: '',
    thoughts: '',
    earlierText: heldText.length >= checkpoint.length ? heldText : checkpoint,
    gap: false,
    end: null,
  };
}

/**
 * Text is append-only within an epoch: a frame fits when nothing is missing before its offset, whatever was coalesced.
 */
function append(held: LiveAnswer, frame: GenerationFrame): LiveAnswer {
  const [, , seq, offset, delta, end, [thoughtsAt, thought] = [held.thoughts.length, '']] = frame;
  if (offset > held.text.length || thoughtsAt > held.thoughts.length) return held.gap ? held : { ...held, gap: true };
  const text = held.text.slice(0, offset) + delta;
  const thoughts = held.thoughts.slice(0, thoughtsAt) + thought;
  return {
    ...held,
    seq,
    text,
    thoughts,
    gap: false,
    end: end ?? null,
    earlierText: text === '' ? held.earlierText : '',
  };
}

/** The durable message already says how this attempt ended. */
function isOver(state: ConversationStreamState, [generationId, epoch]: GenerationFrame): boolean {
  const generation = state.messages.findLast((message) => message.generation?.id === generationId)?.generation;
  return generation ? finished.has(generation.status) && epoch <= generation.epoch : false;
}

/** Generation ids are ULIDs: the later one is the one that runs. */
const isNewer = ({ stream }: ConversationStreamState, generationId: GenerationId): boolean =>
  stream === null || stream.end !== null || generationId > stream.generationId;

function settleStream(state: ConversationStreamState): ConversationStreamState {
  const { stream } = state;
  if (!stream) return state;
  const generation = state.messages.find((message) => message.id === stream.answerId)?.generation;
  const isSettled =
    generation !== null &&
    generation !== undefined &&
    finished.has(generation.status) &&
    generation.epoch >= stream.epoch;
  return isSettled ? { ...state, stream: null } : state;
}

/** By id; the copy with the higher sequence wins. Order: position, then id. */
function mergeMessages(known: readonly Message[], incoming: readonly Message[]): readonly Message[] {
  if (incoming.length === 0) return known;
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of incoming) {
    const present = byId.get(message.id);
    if (!present || message.sequence >= present.sequence) byId.set(message.id, message);
  }
  return [...byId.values()].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}
