import type { ChatbotContent, ChatbotId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import type { ChatbotRow } from './chatbot.collection.ts';

/** Every organisation has it, from the beginning and for everybody. */
export const defaultIdOf = (orgId: OrgId): ChatbotId => derivedId('chatbot', ['default', orgId]);

/** Under which ids its row can be: in first place the one that a new row gets, in second the one of earlier versions. */
export const keptIdsOf = (orgId: OrgId, id: ChatbotId): readonly [ChatbotId, ...ChatbotId[]] =>
  id === defaultIdOf(orgId) ? [apartFromClients(id), id] : [id];

const defaultContent: ChatbotContent = {
  name: 'Assistant',
  glyph: 'bot',
  instructions: '',
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' },
};

/** The default one while nobody has changed it: version 0, as chats were before there were chatbots. */
export const defaultChatbot = (orgId: OrgId): ChatbotRow => ({
  _id: defaultIdOf(orgId),
  orgId,
  isDefault: true,
  revision: 0,
  draft: defaultContent,
  isChanged: false,
  editedAt: null,
  editedBy: null,
  published: { version: 0, note: '', by: null, publishedAt: null, content: defaultContent },
});
