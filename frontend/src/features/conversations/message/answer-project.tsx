import type { ProjectId } from '@parley/contracts';
import { useProjects } from '../../../domain/project/use-projects.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';
import { useProject } from '../state/projects.ts';

/** Shows below an answer the project whose instructions the model was given, wherever its chat is now. */
export const AnswerProject = (props: { projectId: ProjectId }) => (
  <LateTexts part="project">
    <Project {...props} />
  </LateTexts>
);

function Project({ projectId }: { projectId: ProjectId }) {
  const { t, rich } = useText();
  const { data } = useProjects();
  const known = data?.find(({ id }) => id === projectId);
  const { data: other, error } = useProject(projectId, data !== undefined && known === undefined);
  const project = known ?? other;
  if (!project && !error) return null;
  return (
    <span
      title={t({
        id: 'project.answer.about',
        defaultMessage: 'The model was given the instructions that this project had then.',
      })}
    >
      {project
        ? rich(
            { id: 'project.answer.of', defaultMessage: 'Instructions of <name>{project}</name>' },
            { project: project.name, name: cutName },
          )
        : t({ id: 'project.answer.elsewhere', defaultMessage: 'Instructions of a deleted project' })}
      {' · '}
    </span>
  );
}
