import { Button } from '@mantine/core';
import type { Project } from '@parley/contracts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { longestName } from '../moving/name-form.tsx';
import { ProjectKnowledge } from './project-knowledge.tsx';
import { ChatbotField } from './chatbot-field.tsx';
import { WordsField } from './words-field.tsx';
import classes from './projects.module.css';

/** The most characters of a project's instructions. */
const longestInstructions = 8_000;

type Props = { project: Project; onDelete: () => void; onClose: () => void };

/** Shows the settings beside the chats of a project. Each field saves separately, and shows the result below. */
export function ProjectSettings({ project, onDelete, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const mayDelete = useRight('chat:delete');
  return (
    <div className={classes.panel}>
      <SidePanel title={t({ id: 'project.settings.title', defaultMessage: 'Project settings' })} onClose={onClose}>
        <WordsField
          project={project}
          field="name"
          label={t({ id: 'project.name.label', defaultMessage: 'Name' })}
          longest={longestName}
          missing={t({ id: 'project.name.missing', defaultMessage: 'Enter a name.' })}
        />
        <ChatbotField project={project} />
        <WordsField
          project={project}
          field="instructions"
          label={t({ id: 'project.instructions.label', defaultMessage: 'Instructions' })}
          about={t({
            id: 'project.instructions.about',
            defaultMessage: 'Told to the model in every chat of this project, after the instructions of the chatbot.',
          })}
          longest={longestInstructions}
          isLong
        />
        <ProjectKnowledge project={project} />
        {mayDelete ? (
          <div className={classes.end}>
            <Button variant="default" color="red" onClick={onDelete} {...off}>
              {t({ id: 'project.menu.delete', defaultMessage: 'Delete project' })}
            </Button>
          </div>
        ) : null}
      </SidePanel>
    </div>
  );
}
