import type { ConversationId, OrgId, UserId } from '@parley/contracts';
import { readStored, writeStored } from '../../lib/stored.ts';

type Whose = { readonly userId: UserId; readonly orgId: OrgId };

/** Drafts of chats deleted since this page was opened; undoing the deletion brings them back. */
const setAside = new Map<string, string>();

/** Under which the unsent text of a chat is stored; null is the new chat. */
export const draftKey = ({ userId, orgId }: Whose, id: ConversationId | null): string =>
  `parley.draft.${userId}.${orgId}.${id ?? 'new'}`;

/** Removes the unsent text of a chat that was deleted from this browser. */
export function dropDraft(whose: Whose, id: ConversationId): void {
  const key = draftKey(whose, id);
  const text = readStored<string>('local', key);
  if (text === null) return;
  setAside.set(key, text);
  writeStored('local', key, null);
}

/** Of a chat that was restored. */
export function bringDraftBack(whose: Whose, id: ConversationId): void {
  const key = draftKey(whose, id);
  const text = setAside.get(key);
  setAside.delete(key);
  if (text !== undefined && readStored('local', key) === null) writeStored('local', key, text);
}
