import type { StoredConversation } from './conversation.collection.ts';

/** The fields that Parley sets, also in a copy. The person sets all others. */
type SetByParley =
  | '_id'
  | 'orgId'
  | 'ownerId'
  | 'titling'
  | 'sequence'
  | 'lastPosition'
  | 'lastAnswerId'
  | 'lastRun'
  | 'deletions'
  | 'branchedFrom'
  | 'imported'
  | 'projectId'
  | 'formerProject'
  | 'chatbotId'
  | 'isCopying'
  | 'running'
  | 'queued'
  | 'isQueueHeld'
  | 'answersEnded'
  | 'answersSeen'
  | 'isDeleted'
  | 'deletedAt'
  | 'erasure'
  | 'eraseAt'
  | 'createdAt'
  | 'lastActivityAt'
  | 'version';
type Plain<Value> = NonNullable<Value> extends boolean ? boolean : NonNullable<Value>;

/**
 * The fields of a conversation that its person sets, with defaults. Branches, exports and imports use this list, so
 * that none forgets a field (`own-fields.spec.ts`).
 */
export type OwnFields = {
  readonly [Field in Exclude<keyof StoredConversation, SetByParley>]: Plain<StoredConversation[Field]>;
};

/** Returns the own fields of a row, with defaults for missing ones. */
export const ownFieldsOf = ({ title, isPinned, isArchived }: StoredConversation): OwnFields => ({
  title,
  isPinned: isPinned ?? false,
  isArchived: isArchived === true,
});

/** Returns own fields as fields of a row. An archived conversation isn't pinned. */
export const rowFieldsOf = ({ isPinned, isArchived, ...others }: OwnFields) => ({
  ...others,
  ...(isArchived ? { isArchived: true as const } : isPinned && { isPinned: true }),
});

/** Returns the fields that a branch copies. The branch is listed as a new chat: neither pinned nor archived. */
export const copyOf = (conversation: StoredConversation) =>
  rowFieldsOf({ ...ownFieldsOf(conversation), isPinned: false, isArchived: false });
