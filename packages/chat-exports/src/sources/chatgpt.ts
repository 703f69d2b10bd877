import { cleanId } from '../cleaning.ts';
import type { ChatNode, RawBroken, RawChat } from '../chat-node.ts';
import { mapInTurns } from '../in-turns.ts';
import { entriesIn } from '../json-fields.ts';
import { contentOf, distinct } from './chatgpt-content.ts';
import { chatGptConversation, chatGptNode, type ChatGptMessage } from './chatgpt-fields.ts';
import { idIn, type ReadingContext, type SourceReader } from './source-reader.ts';

const isProject = (id: string | null): id is string => id?.startsWith('g-p-') === true;

/** Instructions and memories of a person are in hidden messages. */
function countContext({ content }: ChatGptMessage, { saw }: ReadingContext): void {
  if (content?.content_type === 'user_editable_context')
    saw('prompts', 'custom instructions', content.user_instructions || content.user_profile || undefined);
  if (content?.content_type === 'model_editable_context')
    saw('memories', 'memories', content.model_set_context || undefined);
}

function nodeOf(
  id: string,
  { parent, children, message }: { parent: string | null; children: string[]; message: ChatGptMessage | null },
  { model, context }: { readonly model: string | null; readonly context: ReadingContext },
): ChatNode {
  const place = { id, parentId: parent, childIds: children.map(cleanId) };
  if (message === null) return { ...place, role: null, text: '', createdAt: null, model: null, files: [], losses: [] };
  countContext(message, context);
  const content = contentOf(message);
  const listed = message.id === null || content.role === null ? [] : context.filesOf(message.id);
  return {
    ...place,
    ...content,
    files: listed.length === 0 ? content.files : distinct([...content.files, ...listed]),
    createdAt: message.create_time,
    model: message.metadata?.model_slug ?? model,
  };
}

export const chatGpt: SourceReader = {
  source: 'chatgpt',
  isChat: (fields) => fields.has('mapping') || (fields.has('conversation_id') && fields.has('current_node')),
  idOf: (fields) => (fields.has('mapping') ? idIn(fields, 'conversation_id', 'id') : null),
  async read(value: object, context: ReadingContext): Promise<RawChat | RawBroken> {
    const read = chatGptConversation.safeParse(value).data;
    if (!read) return { broken: 'not-a-chat', sourceId: null, title: null };
    const sourceId = read.conversation_id ?? read.id;
    const entries = entriesIn(read.mapping);
    if (entries.length === 0) return { broken: 'no-messages', sourceId, title: read.title };
    // Custom GPTs and projects are named by the same fields, and a custom GPT can be asked in a project.
    const named = [read.gizmo_id, read.conversation_template_id];
    const projectId = named.find(isProject) ?? null;
    if (read.gizmo_id !== null && !isProject(read.gizmo_id)) context.saw('custom-chatbots', read.gizmo_id);
    const own = { model: read.default_model_slug, context };
    const nodes = await mapInTurns(
      entries,
      ([key, given]) => {
        const node = chatGptNode.safeParse(given).data;
        return node ? [nodeOf(cleanId(key), node, own)] : [];
      },
      context.giveWay,
    );
    return {
      sourceId,
      title: read.title,
      createdAt: read.create_time,
      updatedAt: read.update_time,
      isPinned: read.is_starred || read.pinned_time !== null,
      isArchived: read.is_archived,
      project: projectId === null ? null : { id: cleanId(projectId), name: null },
      nodes: nodes.flat(),
      openId: read.current_node,
    };
  },
};
