import type {
  ConversationId,
  ConversationOpen,
  GenerationFrame,
  GenerationId,
  Message,
  MessageElsewhere,
  MessageId,
} from '@parley/contracts';
import {
  hasEnded,
  isRunning,
  withChanges,
  withMessage,
  withNewestPage,
  withOlderPage,
  withVersion,
  withVersions,
  withVersionsOf,
  writtenIn,
  type Path,
  type PathPage,
  type Versions,
} from './conversation-path.ts';
import { append, type LiveAnswer } from './live-answer.ts';

/**
 * What a client knows of one conversation: the path that it reads plus the running answer's live text. Pure and without
 * dependencies, so that the browser and the acceptance tests share these rules: frames already seen are dropped, a gap
 * is noticed and keeps the text, a higher epoch starts anew while the old text stays visible until the first new token,
 * and a durable message wins over the stream that it ends.
 */
export type ConversationStreamState = {
  readonly conversationId: ConversationId;
  /** The conversation's sequence up to which everything durable is known: the next `?after=`. */
  readonly sequence: number;
  readonly messages: Path;
  readonly versions: Versions;
  /** Answers that are being written on other branches. */
  readonly writtenElsewhere: readonly MessageId[];
  readonly hasOlder: boolean;
  readonly title: string;
  readonly branchedFrom: PathPage['branchedFrom'];
  readonly isArchived: boolean;
  /** Of my place in it, for moving it. */
  readonly placeVersion: number;
  readonly stream: LiveAnswer | null;
  /** An answer that is being asked for: its frames may come before its message. */
  readonly expected: Pick<LiveAnswer, 'generationId' | 'answerId'> | null;
};

/** Text to show for an answer, and whether it belongs to an attempt that was interrupted. */
export type VisibleText = { text: string; isEarlierAttempt: boolean };

export function emptyConversation(conversationId: ConversationId): ConversationStreamState {
  return {
    conversationId,
    sequence: 0,
    messages: [],
    versions: new Map(),
    writtenElsewhere: [],
    hasOlder: false,
    title: '',
    branchedFrom: undefined,
    isArchived: false,
    placeVersion: 0,
    stream: null,
    expected: null,
  };
}

/** The end of the path that is read; null where there is no message. */
export const leafOf = ({ messages }: ConversationStreamState): MessageId | null => messages.at(-1)?.id ?? null;

/** The newest page: replaces what was known, keeps the live text if its answer still runs. */
export function applyNewestPage(state: ConversationStreamState, page: PathPage): ConversationStreamState {
  return page.sequence < state.sequence ? state : applyPath(state, page);
}

/**
 * Another path, up to its end. It may have been read before what is known: then `sequence` goes back, and what came
 * between is to be fetched again.
 */
export function applyPath(state: ConversationStreamState, page: PathPage): ConversationStreamState {
  const messages = withNewestPage(state.messages, page);
  return settleStream({
    ...state,
    title: page.title,
    branchedFrom: page.branchedFrom,
    isArchived: page.archived === true,
    messages,
    hasOlder: messages.length > page.items.length ? state.hasOlder : page.hasOlder,
    sequence: page.sequence,
    placeVersion: Math.max(state.placeVersion, page.placeVersion),
    versions: withVersionsOf(state.versions, page),
    writtenElsewhere: writtenIn(page.elsewhere),
  });
}

/** Everything changed since `sequence`, as told of the path that is read; of another one nothing is taken. */
export function applyChanges(state: ConversationStreamState, page: PathPage): ConversationStreamState {
  const leaf = leafOf(state);
  if (leaf !== null && page.leafId !== leaf) return state;
  const messages = withChanges(state.messages, page.items);
  const told = new Set(page.elsewhere.map(({ id }) => id));
  const isHere = new Set(messages.map(({ id }) => id));
  const others = page.items.filter((message) => isRunning(message) && !isHere.has(message.id));
  return settleStream(
    {
      ...state,
      title: page.title,
      isArchived: page.archived === true,
      messages,
      versions: withVersions(state.versions, page.versions),
      writtenElsewhere: [
        ...state.writtenElsewhere.filter((id) => !told.has(id) && !isHere.has(id)),
        ...writtenIn(page.elsewhere),
        ...others.map(({ id }) => id),
      ],
      sequence: Math.max(state.sequence, page.sequence),
    },
    page.elsewhere,
  );
}

/**
 * Applies changes that have a new answer together with the path to it, which was fetched after them. Both in one step,
 * because the server doesn't send applied changes again. Keeps the changes' `sequence`, so that the next fetch brings
 * what the path lacks.
 */
export function applyChangesAndPath(
  state: ConversationStreamState,
  changes: PathPage,
  path: PathPage,
): ConversationStreamState {
  const changed = applyChanges(state, changes);
  return { ...applyPath(changed, path), sequence: changed.sequence };
}

/** A page before the first known message. */
export function applyOlderPage(state: ConversationStreamState, page: PathPage): ConversationStreamState {
  const messages = withOlderPage(state.messages, page);
  if (messages === state.messages) return state;
  return { ...state, messages, hasOlder: page.hasOlder, versions: withVersionsOf(state.versions, page) };
}

/** What a command of this client has made or changed: the path leads there. The sequence stays, for others may have changed between. */
export function applyMessages(state: ConversationStreamState, items: readonly Message[]): ConversationStreamState {
  return settleStream(items.reduce(applyMessage, state));
}

function applyMessage(state: ConversationStreamState, message: Message): ConversationStreamState {
  const messages = withMessage(state.messages, message);
  const isHere = messages.some(({ id }) => id === message.id);
  return {
    ...state,
    messages,
    hasOlder: state.hasOlder && messages[0]?.parentId !== null,
    versions: isHere ? withVersion(state.versions, state.messages, message) : state.versions,
    writtenElsewhere: isHere ? state.writtenElsewhere.filter((id) => id !== message.id) : state.writtenElsewhere,
  };
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

/** An answer is queued or being written, on this branch or another one: no other one can begin. */
export const isAnswering = (state: ConversationStreamState): boolean =>
  runningAnswer(state) !== null || state.writtenElsewhere.length > 0;

/** The answer of this path that is queued or being written, if any. */
export function runningAnswer(state: ConversationStreamState): Message | null {
  return state.messages.findLast((message) => isRunning(message)) ?? null;
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

/** The durable message already says how this attempt ended. */
function isOver(state: ConversationStreamState, [generationId, epoch]: GenerationFrame): boolean {
  const generation = state.messages.findLast((message) => message.generation?.id === generationId)?.generation;
  return generation ? hasEnded(generation.status) && epoch <= generation.epoch : false;
}

/** Generation ids are ULIDs: the later one is the one that runs. */
const isNewer = ({ stream }: ConversationStreamState, generationId: GenerationId): boolean =>
  stream === null || stream.end !== null || generationId > stream.generationId;

function settleStream(
  state: ConversationStreamState,
  elsewhere: readonly MessageElsewhere[] = [],
): ConversationStreamState {
  const { stream } = state;
  if (!stream) return state;
  const generation = state.messages.find((message) => message.id === stream.answerId)?.generation;
  const other = elsewhere.find(({ id }) => id === stream.answerId);
  const isSettled = generation
    ? hasEnded(generation.status) && generation.epoch >= stream.epoch
    : other?.status != null && hasEnded(other.status);
  return isSettled ? { ...state, stream: null } : state;
}
