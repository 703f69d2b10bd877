import type { Parent } from '../../../conversations/index.ts';
import type { CompletionId, ConversationId, MessageFile, MessageId, ProjectId, TrialId } from '@parley/contracts';
import type { Generation } from './generation.collection.ts';

/**
 * The person who asks, with role and groups from when they asked, which decide whose budget is used and what can be
 * read.
 */
export type Asker = Pick<Generation, 'userId' | 'groupIds' | 'locale'> & NonNullable<Generation['asker']>;

/**
 * The conversation before a new question: its sequence, the end of the path that the question follows, and its project.
 */
export type Before = { readonly sequence: number; readonly leaf: Parent | null; readonly projectId: ProjectId | null };

/** A question in a chat. */
export type ChatAsk = {
  readonly kind: 'chat';
  /** The answer to continue; null for a new answer. */
  readonly continued: Generation['continued'];
  /** Set: the model gets only the names of images. Missing: it gets the images that it may accept. */
  readonly images?: 'note' | undefined;
  /** The project whose instructions the answer to a stored question follows. Missing: none. */
  readonly projectId?: ProjectId;
  /**
   * A question that is being asked now, whose row may not be stored yet; null: read the question from the conversation.
   */
  readonly fresh: {
    readonly text: string;
    /** The question's files. Rejects if the question is refused. Missing: none. */
    readonly files?: Promise<readonly MessageFile[]>;
    /** The conversation before the question. Rejects if the question is refused. */
    readonly before: Promise<Before>;
  } | null;
};

/** A question outside of chats, in its own conversation without an owner. */
export type ApartAsk =
  | { readonly kind: 'trial'; readonly trialId: TrialId }
  | { readonly kind: 'completion'; readonly completionId: CompletionId };

/** A question for a model, with its kind, its conversation and the person who asks. */
export type Ask = { readonly conversationId: ConversationId; readonly questionId: MessageId; readonly asker: Asker } & (
  | ChatAsk
  | ApartAsk
);

type Stored = Pick<Generation, 'trialId' | 'completionId'>;

/** Returns the kind of question that a stored generation answers. */
export const kindOf = ({ trialId, completionId }: Stored): Ask['kind'] =>
  trialId ? 'trial' : completionId ? 'completion' : 'chat';

/** Returns the question of a stored generation. */
export function askOf(generation: Generation): Ask {
  const { conversationId, questionId, trialId, completionId } = generation;
  const { userId, groupIds, locale, continued } = generation;
  const asker = { userId, groupIds: groupIds ?? [], locale, ...(generation.asker ?? nobodyNamed) };
  const asked = { conversationId, questionId, asker };
  if (trialId) return { ...asked, kind: 'trial', trialId };
  if (completionId) return { ...asked, kind: 'completion', completionId };
  const images = generation.images === 'note' && { images: generation.images };
  const inProject = generation.projectId && { projectId: generation.projectId };
  return { ...asked, kind: 'chat', continued: continued ?? null, ...images, ...inProject, fresh: null };
}

const nobodyNamed = { name: '', organisationName: '' };

/** Returns the fields of a generation that depend on the kind of its question. */
export function kindFields(ask: Ask): Pick<Generation, 'continued' | 'images'> & Stored {
  if (ask.kind === 'trial') return { continued: null, trialId: ask.trialId };
  if (ask.kind === 'completion') return { continued: null, completionId: ask.completionId };
  return { continued: ask.continued, ...(ask.images && { images: ask.images }) };
}
