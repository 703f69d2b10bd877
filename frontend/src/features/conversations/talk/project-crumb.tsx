import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationId } from '@parley/contracts';
import { ChevronRight, Folder } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useProjects } from '../../../domain/project/use-projects.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { usePaths } from '../../../lib/paths.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { fetchConversation, knownConversation } from '../state/conversation-list.ts';
import { useProject } from '../state/projects.ts';
import { usePendingOf } from '../state/pending-sends-context.tsx';
import classes from './project-crumb.module.css';

type Props = { conversationId: ConversationId };

/** Links to a chat's project before the chat's title. */
export const ProjectCrumb = (props: Props) => (
  <LateTexts part="project">
    <Crumb {...props} />
  </LateTexts>
);

function Crumb({ conversationId }: Props) {
  const projectId = useProjectOf(conversationId);
  const { data } = useProjects();
  if (!projectId) return null;
  const known = data?.find(({ id }) => id === projectId);
  return known ? <Way {...known} /> : data ? <ArchivedWay projectId={projectId} /> : null;
}

/** Reads a project that isn't in the list, such as an archived one. */
function ArchivedWay({ projectId }: { projectId: Parameters<typeof useProject>[0] }) {
  const { data } = useProject(projectId);
  return data ? <Way {...data} /> : null;
}

function Way({ id, name }: { id: Parameters<typeof useProject>[0]; name: string }) {
  const { t } = useText();
  const paths = usePaths();
  return (
    <nav className={classes.crumb} aria-label={t({ id: 'project.crumb.label', defaultMessage: 'Project' })}>
      <Link to={paths.project(id)} className={classes.link} title={name}>
        <Folder />
        <bdi>{name}</bdi>
      </Link>
      <ChevronRight size={14} className="p-mirror" />
    </nav>
  );
}

/** Returns the project of a chat, from a list or the server; for a new chat, from its unacknowledged question. */
function useProjectOf(conversationId: ConversationId) {
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const [first] = usePendingOf(conversationId);
  const isNew = first !== undefined && first.parentId === undefined;
  const { data } = useQuery({
    queryKey: resourceKey('conversations', orgId, 'project-of', conversationId),
    queryFn: async () => (await fetchConversation(orgId, conversationId)).projectId ?? null,
    initialData: () => {
      const known = knownConversation(client, orgId, conversationId);
      return known && (known.projectId ?? null);
    },
    staleTime: Infinity,
    enabled: !isNew,
  });
  return data ?? first?.projectId ?? null;
}
