import { orgId, type OrgId, type ProblemDetails } from '@parley/protocol';
import { z } from 'zod';
import { conversationId, generationId, trialId } from '../ids.ts';
import type { GenerationStatus } from '../services/chat/conversations/messages.ts';
import type { ConversationId, GenerationId, MessageId } from '../ids.ts';
import type { Resource } from '../names.ts';
import type { PersonCost } from '../limits/rates.ts';
import type { MonitoringNow } from '../services/monitoring/now.ts';
import type { SessionEnd } from '../session-end.ts';

/**
 * Returns the name of an answer's live stream. It contains the conversation, so access to one conversation opens no
 * stream of another.
 */
export const liveStreamOf = (conversation: ConversationId, generation: GenerationId): string =>
  `${conversation}/${generation}`;

/** Returns the conversation and generation of a live stream's name; null for any other text. */
export function readLiveStream(
  name: string,
): { readonly conversationId: ConversationId; readonly generationId: GenerationId } | null {
  const parsed = liveStreamName.safeParse(name.split('/'));
  return parsed.success ? { conversationId: parsed.data[0], generationId: parsed.data[1] } : null;
}
const liveStreamName = z.tuple([conversationId, generationId]);

/** socket.io handshake `auth`: the organisation of the tab. The session comes from the cookie only. */
export const socketAuth = z.strictObject({ orgId });

/**
 * Client → server `conversation.open`. The server checks access, joins the room, replays the live stream of the running
 * generation from `stream` (or from its start) and goes live. Acknowledged with `OpenAck`. Later answers of the
 * conversation are sent without another request. While one request for a conversation is handled, later ones for it
 * wait and are handled together; more than 40 at once in a socket are refused with `platform.rate-limited`.
 */
export const conversationOpen = z.strictObject({
  conversationId,
  /**
   * The part of the running answer that the client has: frames of that epoch up to `seq` are not repeated. Access isn't
   * checked again for an answer whose stream this socket already gets.
   */
  stream: z.strictObject({ generationId, epoch: z.number().int(), seq: z.number().int() }).optional(),
  /**
   * The trial (a question to try a chatbot) whose conversation this is. The conversation is in no list, and only the
   * person who asked gets its answer.
   */
  trialId: trialId.optional(),
});
export type ConversationOpen = z.infer<typeof conversationOpen>;
/** `sequence` is null for a trial, and if the conversation was open already and only its stream was requested. */
export type OpenAck =
  | { ok: true; sequence: number | null; generationId: GenerationId | null }
  | { ok: false; problem: ProblemDetails };

/** Client → server `conversation.close`. */
export const conversationClose = z.strictObject({ conversationId });

/**
 * Server → client `generation.frame`: a piece of an answer, as an array, because it is sent up to 25 times a second.
 * `seq` counts 1, 2, 3 … within `epoch`; `offset` is the start of `delta` in the text, in UTF-16 units. The client
 * drops pieces that it has, and those of a generation that it neither asked for nor has a message of. A higher epoch
 * starts again; after a gap the client sends `conversation.open` with what it has. The first frame of an epoch can be
 * empty: a worker has started. `end` closes the stream: fetch `?after=` for the stored message. `thoughts` is a piece
 * of the model's reasoning, with its own offset; frames have it only while the model reasons, or to send all of it
 * again.
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
 * Server → client `conversation.changed`: something was stored. Fetch `?after=` if `sequence` is higher than yours; for
 * the kind `renamed` always, because a title that a model wrote doesn't increase the sequence. The kind `read`: this
 * person has read up to `sequence` on some device.
 */
export type ConversationChangedMessage = {
  conversationId: ConversationId;
  sequence: number;
  kind: 'created' | 'renamed' | 'marked' | 'deleted' | 'restored' | 'message' | 'generation' | 'read';
  generation?: { id: GenerationId; answerId: MessageId; status: GenerationStatus };
};

/**
 * Server → client `resource.changed`: reload what shows these resources. `orgId` is their organisation; null if the
 * event belongs to none: it then means these resources of every organisation.
 */
export type ResourceChangedMessage = { orgId: OrgId | null; resources: readonly Resource[] };
/**
 * Server → client `session.ended`, right before the server closes the socket. The client goes to sign-in and says why,
 * if known. With `access-lost` the session continues, and only this organisation is closed to it.
 */
export type SessionEndedMessage = { reason: SessionEnd | 'access-lost' | null };

export type ServerToClient = {
  'generation.frame': (frame: GenerationFrame) => void;
  'conversation.changed': (message: ConversationChangedMessage) => void;
  'resource.changed': (message: ResourceChangedMessage) => void;
  'session.ended': (message: SessionEndedMessage) => void;
  /**
   * True: the server doesn't know at present who lost access, so it sends no events to any socket. False: it sends the
   * events that it held back. Connections stay open meanwhile.
   */
  'live.held': (isHeld: boolean) => void;
  /** Sent each second while this socket watches an organisation (`monitoring.watch`). */
  'monitoring.now': (now: MonitoringNow) => void;
};
export type ClientToServer = {
  /** Acknowledged immediately. After an outage or a sleep the client asks whether the connection still works. */
  'live.check': (ack: () => void) => void;
  'conversation.open': (request: ConversationOpen, ack: (answer: OpenAck) => void) => void;
  'conversation.close': (request: { conversationId: ConversationId }) => void;
  /** Starts or stops sending the figures of the organisation each second (`monitoring:read_org`). */
  'monitoring.watch': (isWatching: boolean) => void;
};
/**
 * Names the cost class of each event. Above the rates of its class, an event with an acknowledgement gets an error, and
 * any other is dropped.
 */
export const socketEventCosts: Readonly<Record<keyof ClientToServer, PersonCost>> = {
  'live.check': 'live',
  'conversation.open': 'live',
  'conversation.close': 'live',
  'monitoring.watch': 'live',
};
