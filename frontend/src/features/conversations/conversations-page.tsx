import type { ConversationId, ProjectId } from '@parley/contracts';
import { useParams, useSearchParams } from 'react-router-dom';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { Conversation } from './talk/conversation.tsx';
import { NewChat } from './start/new-chat.tsx';

const ConversationGone = lazyPart(async () => (await import('./talk/conversation-gone.tsx')).ConversationGone);
const ProjectPage = lazyPart(async () => (await import('./projects/project-page.tsx')).ProjectPage);
const conversationId = /^cnv_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Serves the routes `chat`, `chat?project={id}` and `chat/{id}`. */
export function ConversationsPage() {
  const { id } = useParams();
  const project = useSearchParams()[0].get('project') as ProjectId | null;
  if (id === undefined) return project ? <ProjectPage key={project} projectId={project} /> : <NewChat />;
  if (!conversationId.test(id)) return <ConversationGone />;
  return <Conversation key={id} conversationId={id as ConversationId} />;
}
