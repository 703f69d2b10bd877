import { orgId, type OrgId, type ProblemDetails } from '@parley/protocol';
import { z } from 'zod';
import { conversationId, generationId, trialId } from '../ids.ts';
import type { GenerationStatus } from '../services/chat/conversations/messages.ts';
import type { ConversationId, GenerationId, MessageId } from '../ids.ts';
import type { Resource } from '../names.ts';
import type { PersonCost } from '../limits/rates.ts';
import type { MonitoringNow } from '../services/monitoring/now.ts';
import type { SessionEnd } from '../session-end.ts';

/** Name of an answer's live stream. It carries the conversation, so that the right to one opens no other's stream. */
export const liveStreamOf = (conversation: ConversationId, generation: GenerationId): string =>
  `${conversation}/${generation}`;

/** Whose stream it is; null of a name that is none. */
export function readLiveStream(
  name: string,
): { readonly conversationId: ConversationId; readonly generationId: GenerationId } | null {
  const parsed = liveStreamName.safeParse(name.split('/'));
  return parsed.success ? { conversationId: parsed.data[0], generationId: parsed.data[1] } : null;
}
const liveStreamName = z.tuple([conversationId, generationId]);

/** socket.io handshake `auth`: the tab's organisation. The session comes from the cookie only. */
export const socketAuth = z.strictObject({ orgId });

/**
 * Client → server `conversation.open`. Server joins the room after checking the right, then replays the running
 * generation's live stream from `stream` (or from its start) and goes live. Acknowledged with `OpenAck`. An open
 * conversation hears each further answer from its first token on, unasked; which answers there are is chat's word only.
 * Asks for one conversation that come while one is worked on share one more; more than 40 at once in a socket are
 * refused with `platform.rate-limited`.
 */
export const conversationOpen = z.strictObject({
  conversationId,
  /**
   * What the client holds of the running answer; frames up to `seq` of that epoch are not repeated. An answer that is
   * being followed in an open conversation needs no check again.
   */
  stream: z.strictObject({ generationId, epoch: z.number().int(), seq: z.number().int() }).optional(),
  /** The conversation is this trial's, which stands in no list: whoever asked it hears its answer. */
  trialId: trialId.optional(),
});
export type ConversationOpen = z.infer<typeof conversationOpen>;
/** `sequence` is null for a trial, and when the conversation was open already and only its stream was asked for. */
export type OpenAck =
  | { ok: true; sequence: number | null; generationId: GenerationId | null }
  | { ok: false; problem: ProblemDetails };

/** Client → server `conversation.close`. */
export const conversationClose = z.strictObject({ conversationId });

/**
 * Server → client `generation.frame`: a piece of an answer; positional, for it is sent up to 25 times a second. `seq`
 * counts 1, 2, 3 …
 * within `epoch`; `offset` is where `delta` starts in the text, in UTF-16 units. The client drops what it has and what
 * it does not
 * know (neither a message of its own names the generation nor has it asked for it), resets on a higher epoch and asks
 * (`conversation.open` with what it holds) on a gap. The first frame of an epoch may be empty: a worker has begun.
 * `end` closes the
 * stream: fetch `?after=` for the durable message. `thoughts` is the like piece of what the model thinks, with its own
 * offset; a frame has it only while the model thinks, or where it brings all of it again.
 */
export type GenerationFrame = readonly [
  generationId: GenerationId,
  epoch: number,
  seq: number,
  offset: number,
  delta: string,
  end?: 'done' | 'stopped' | 'failed' | 'interrupted' | null,
  thoughts?: readonly [offset: number, delta: string],
];

/**
 * Server → client `conversation.changed`: something durable happened; fetch `?after=` if `sequence` is ahead of yours.
 * `read`: this person has seen all up to `sequence`, on whatever device.
 */
export type ConversationChangedMessage = {
  conversationId: ConversationId;
  sequence: number;
  kind: 'created' | 'renamed' | 'marked' | 'deleted' | 'restored' | 'message' | 'generation' | 'read';
  generation?: { id: GenerationId; answerId: MessageId; status: GenerationStatus };
};

/**
 * Server → client `resource.changed`: what lists and pages show of these is old. `orgId` is the organisation whose
 * resources they are; null when the event belongs to none: those of organisations are old in each.
 */
export type ResourceChangedMessage = { orgId: OrgId | null; resources: readonly Resource[] };
/**
 * Server → client `session.ended`, right before the server closes the socket. The client goes to sign-in and says why,
 * where that is known; with `access-lost` the session goes on, and only this organisation is closed to it.
 */
export type SessionEndedMessage = { reason: SessionEnd | 'access-lost' | null };

export type ServerToClient = {
  'generation.frame': (frame: GenerationFrame) => void;
  'conversation.changed': (message: ConversationChangedMessage) => void;
  'resource.changed': (message: ResourceChangedMessage) => void;
  'session.ended': (message: SessionEndedMessage) => void;
  /**
   * Nobody can say now who lost access, so nothing is delivered to any socket, in order not to reach those who did; with
   * false it goes on, after all that was held back. The connection stays open meanwhile, up to a minute.
   */
  'live.held': (isHeld: boolean) => void;
  /** Each second while this socket watches. */
  'monitoring.now': (now: MonitoringNow) => void;
};
export type ClientToServer = {
  /** Acknowledged at once: after an outage or a sleep the client asks whether the connection still carries anything. */
  'live.check': (ack: () => void) => void;
  'conversation.open': (request: ConversationOpen, ack: (answer: OpenAck) => void) => void;
  'conversation.close': (request: { conversationId: ConversationId }) => void;
  /** What happens in the organisation each second (`monitoring:read_org`), from now on or not any more. */
  'monitoring.watch': (isWatching: boolean) => void;
};
/** What each event costs. Beyond the rates of its class one with an acknowledgement is told so, any other is dropped. */
export const socketEventCosts: Readonly<Record<keyof ClientToServer, PersonCost>> = {
  'live.check': 'live',
  'conversation.open': 'live',
  'conversation.close': 'live',
  'monitoring.watch': 'live',
};
