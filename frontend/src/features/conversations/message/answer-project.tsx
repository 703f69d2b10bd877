import type { ProjectId } from '@parley/contracts';
import { useProjects } from '../../../domain/project/use-projects.ts';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { useText } from '../../../lib/text.ts';
import { cutName } from '../../../ui/cut-name.tsx';

/** Shows below an answer the project whose instructions it follows, wherever its chat is now. */
export const AnswerProject = (props: { projectId: ProjectId }) => (
  <LateTexts part="project">
    <Project {...props} />
  </LateTexts>
);

function Project({ projectId }: { projectId: ProjectId }) {
  const { t, rich } = useText();
  const { data } = useProjects();
  const project = data?.find(({ id }) => id === projectId);
  if (!data || project?.instructions === '') return null;
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
        : t({ id: 'project.answer.elsewhere', defaultMessage: 'Instructions of an archived or deleted project' })}
      {' · '}
    </span>
  );
}
